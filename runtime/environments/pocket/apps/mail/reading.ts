// One mail as it is read: who wrote it to whom, about what, and its text.

import { LINE_HEIGHT, wrapText } from '../../font.ts';
import { column, growing, row } from '../../toolkit/boxes.ts';
import { label, panel, rule } from '../../toolkit/controls.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { MenuItem, Widget } from '../../toolkit/widget.ts';
import type { Contact, Mail } from '../../world.ts';
import { bareAddress, personAt } from './address.ts';
import { subjectOf } from './mailbox.ts';
import { starMark } from './star.ts';

interface Options {
  readonly contacts: readonly Contact[];
  readonly offset: number;
  readonly scroll: (offset: number) => void;
  readonly star: () => void;
  readonly menu: readonly MenuItem[];
}

export function reading(mail: Mail, { contacts, offset, scroll, star, menu }: Options): Widget {
  const person = personAt(contacts, mail.from);
  const address = bareAddress(mail.from);
  const from = person === address ? address : `${person} <${address}>`;
  const head = column(
    [
      row([growing(label(subjectOf(mail), { bold: true })), starMark(mail, false, star)], { gap: 2 }),
      label(`From: ${from}`, { wrap: true }),
      label(`To: ${mail.to}`, { faint: true }),
    ],
    { gap: 0, margin: 4 },
  );
  return panel(
    column(
      [head, rule(), scrolled(page(mail.body, menu), { key: 'Scroll mail text', offset, change: scroll })],
      {
        gap: 0,
        grow: 1,
      },
    ),
    { field: true },
  );
}

const MARGIN = 4;

const page = (text: string, menu: readonly MenuItem[]): Widget => {
  const linesWithin = (width: number): readonly string[] => wrapText(text, Math.max(8, width - 2 * MARGIN));
  return {
    paintKey: `page ${text}`,
    describe: { role: 'document', name: 'Mail text', value: text },
    on: { menu: () => menu },
    measure: width => ({ width, height: linesWithin(width).length * LINE_HEIGHT + 2 * MARGIN }),
    paint: ({ surface, box: area, theme }) => {
      for (const [index, line] of linesWithin(area.width).entries())
        surface.text(line, area.x + MARGIN, area.y + MARGIN + index * LINE_HEIGHT, theme.text);
    },
  };
};
