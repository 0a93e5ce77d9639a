// The panes of Mail: the folders, the list of a folder's mails, and one mail for reading.

import { LINE_HEIGHT, wrapText } from '../../font.ts';
import { column, growing, row } from '../../toolkit/boxes.ts';
import { label, panel, rule, textTop } from '../../toolkit/controls.ts';
import { emptyNote, listRow, ROW_HEIGHT, rows, tableHead, tableRow } from '../../toolkit/rows.ts';
import { BAR_WIDTH, type ScrollState, scrolled } from '../../toolkit/scroll.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { Contact, Mail, PocketWorld } from '../../world.ts';
import { bareAddress, personAt } from './address.ts';
import { rowKey } from './browsing.ts';
import { correspondent, FOLDERS, type MailFolder, type MailOrder, subjectOf, unreadIn } from './mailbox.ts';

const FOLDER_ICONS = { Inbox: 'mail', Sent: 'folder', Drafts: 'file', Trash: 'trash' } as const;
const COLUMNS = [9, 13];
const STAR_WIDTH = 14;
const STAR = ['   x   ', '   x   ', 'xxxxxxx', ' xxxxx ', '  xxx  ', ' xx xx ', ' x   x '];
const GOLD = 0xe3a92b;
const TEXT_MARGIN = 4;
export const MAIL_PAYLOAD = 'mail';

interface FolderListOptions {
  readonly chosen: MailFolder;
  readonly choose: (folder: MailFolder) => void;
  /** A mail was dropped on a folder. */
  readonly move: (id: number, folder: MailFolder) => void;
  readonly menu: (folder: MailFolder) => readonly MenuItem[];
}

export const folderList = (world: PocketWorld, { chosen, choose, move, menu }: FolderListOptions): Widget =>
  rows(
    FOLDERS.map(folder => {
      // Only the inbox counts unread mails.
      const unread = folder === 'Inbox' ? unreadIn(world, folder) : 0;
      const plain = listRow(unread > 0 ? `${folder} (${unread})` : folder, {
        key: `folder ${folder}`,
        chosen: folder === chosen,
        bold: unread > 0,
        icon: FOLDER_ICONS[folder],
        press: () => choose(folder),
        menu: () => menu(folder),
        drop: ({ kind, name }) => {
          if (kind === MAIL_PAYLOAD) move(Number(name), folder);
        },
      });
      return extendWidget(plain, {
        describe: {
          role: 'treeitem',
          name: folder,
          value: unread > 0 ? `${unread} unread` : undefined,
          states: folder === chosen ? ['selected'] : [],
        },
      });
    }),
  );

interface MailListOptions {
  readonly contacts: readonly Contact[];
  readonly folder: MailFolder;
  /** The id of the selected mail. */
  readonly chosen: number | undefined;
  readonly order: MailOrder;
  readonly scroll: ScrollState;
  /** The text of an empty list. */
  readonly empty: string;
  readonly sort: (by: MailOrder['by']) => void;
  readonly choose: (mail: Mail) => void;
  readonly open: (mail: Mail) => void;
  readonly star: (mail: Mail) => void;
  readonly menu: (mail: Mail) => readonly MenuItem[];
}

export function mailList(mails: readonly Mail[], options: MailListOptions): Widget {
  const { contacts, folder, chosen, order, scroll, empty, sort, choose, open, star, menu } = options;
  const mailRow = (mail: Mail): Widget => {
    const cells = tableRow([correspondent(contacts, mail), subjectOf(mail)], COLUMNS, {
      key: rowKey(mail.id),
      value: mail.read ? '' : 'unread',
      chosen: mail.id === chosen,
      bold: !mail.read,
      press: () => choose(mail),
      double: () => open(mail),
      menu: () => menu(mail),
      payload: { kind: MAIL_PAYLOAD, name: String(mail.id) },
    });
    return row([starMark(mail, mail.id === chosen, () => star(mail)), growing(cells)], { gap: 0 });
  };
  const person = folder === 'Sent' || folder === 'Drafts' ? 'To' : 'From';
  const sorts: readonly MailOrder['by'][] = ['who', 'subject'];
  const sorted = sorts.indexOf(order.by);
  const head = tableHead(
    [person, 'Subject'],
    COLUMNS,
    index => sort(sorts[index] ?? 'age'),
    sorted < 0 ? undefined : { column: sorted, descending: order.descending },
  );
  return panel(
    column(
      [
        row([starHead(() => sort('star')), growing(head), headCorner()], { gap: 0 }),
        scrolled(rows(mails.map(mailRow), emptyNote(empty, 6)), 'Scroll mails', scroll),
      ],
      { gap: 0, grow: 1 },
    ),
    { field: true },
  );
}

const starMark = ({ starred, subject }: Mail, chosen: boolean, toggle: () => void): Widget => ({
  paintKey: `star ${starred} ${chosen}`,
  describe: { role: 'checkbox', name: `Star ${subject}`, states: starred ? ['checked'] : [] },
  on: { press: toggle },
  measure: () => ({ width: STAR_WIDTH, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, chosen ? theme.selection : theme.field);
    surface.bitmap(STAR, area.x + 4, textTop(area.y, area.height), { x: starred ? GOLD : theme.shade });
  },
});

/** The head above the scroll bar, which keeps the columns of head and rows aligned. */
const headCorner = (): Widget => ({
  paintKey: 'over bar',
  measure: () => ({ width: BAR_WIDTH, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, theme.button);
    surface.fill({ ...area, y: area.y + area.height - 1, height: 1 }, theme.buttonEdge);
  },
});

const starHead = (sort: () => void): Widget => ({
  paintKey: 'star head',
  describe: { role: 'columnheader', name: 'Starred' },
  on: { press: sort },
  measure: () => ({ width: STAR_WIDTH, height: ROW_HEIGHT }),
  paint: context => {
    headCorner().paint?.(context);
    const { surface, box: area, theme } = context;
    surface.bitmap(STAR, area.x + 4, area.y + 3, { x: theme.faint });
  },
});

interface MailPageOptions {
  readonly contacts: readonly Contact[];
  readonly scroll: ScrollState;
  readonly star: () => void;
  readonly menu: readonly MenuItem[];
}

/** A mail for reading. */
export function mailPage(mail: Mail, { contacts, scroll, star, menu }: MailPageOptions): Widget {
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
  const text = scrolled(mailText(mail.body, menu), 'Scroll mail text', scroll);
  return panel(column([head, rule(), text], { gap: 0, grow: 1 }), { field: true });
}

function mailText(text: string, menu: readonly MenuItem[]): Widget {
  const linesWithin = (width: number): readonly string[] =>
    wrapText(text, Math.max(8, width - 2 * TEXT_MARGIN));
  return {
    paintKey: `page ${text}`,
    describe: { role: 'document', name: 'Mail text', value: text },
    on: { menu: () => menu },
    measure: width => ({ width, height: linesWithin(width).length * LINE_HEIGHT + 2 * TEXT_MARGIN }),
    paint: ({ surface, box: area, theme }) => {
      for (const [index, line] of linesWithin(area.width).entries())
        surface.text(line, area.x + TEXT_MARGIN, area.y + TEXT_MARGIN + index * LINE_HEIGHT, theme.text);
    },
  };
}
