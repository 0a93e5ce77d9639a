// What is known of one contact, and what can be done with it.

import { column, growing, row, space } from '../../toolkit/boxes.ts';
import { button, label, panel, rule } from '../../toolkit/controls.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';

export function card(contact: Contact, menu: readonly MenuItem[], write: () => void): Widget {
  const { name, phone, mail, company } = contact;
  const facts = column(
    [
      label(name, { bold: true, wrap: true }),
      ...(company === '' ? [] : [label(company, { faint: true })]),
      rule(),
      fact('Phone', phone),
      fact('Mail', mail),
    ],
    { gap: 4 },
  );
  return panel(
    column(
      [
        extendWidget(facts, { on: { menu: () => menu } }),
        space(),
        row([growing(button('Write mail', { enabled: mail !== '', primary: mail !== '', press: write }))]),
      ],
      { gap: 4, margin: 6, grow: 1 },
    ),
    { field: true },
  );
}

const fact = (name: string, value: string): Widget =>
  column([label(name, { faint: true }), label(value || '-', { wrap: true })], { gap: 0 });
