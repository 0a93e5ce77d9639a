// The panes of Mail, with their menus: the folders, the list of a folder's mails, and one mail for reading.

import { LINE_HEIGHT, wrapText } from '../../font.ts';
import { column, growing, row } from '../../toolkit/boxes.ts';
import type { BarMenu } from '../../toolkit/controls.ts';
import { label, panel, rule, textTop } from '../../toolkit/controls.ts';
import { emptyNote, listRow, ROW_HEIGHT, rows, tableHead, tableRow } from '../../toolkit/rows.ts';
import { BAR_WIDTH, scrolled } from '../../toolkit/scroll.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { Mail } from '../../world.ts';
import type { MailActions } from './actions.ts';
import { type Browsing, rowKey } from './actions.ts';
import {
  bareAddress,
  correspondent,
  FOLDERS,
  type MailFolder,
  type MailOrder,
  mailWith,
  NEWEST_FIRST,
  personAt,
  subjectOf,
  unreadIn,
} from './mailbox.ts';

function mailItems(mail: Mail, actions: MailActions): readonly MenuItem[] {
  const draft = mail.folder === 'Drafts';
  const targets = FOLDERS.filter(folder => folder !== mail.folder && folder !== 'Trash');
  return [
    { name: draft ? 'Edit' : 'Open', shortcut: 'Enter', choose: () => actions.open(mail) },
    { name: 'Reply', shortcut: 'Ctrl+R', enabled: !draft, choose: () => actions.reply(mail) },
    { name: 'Forward', shortcut: 'Ctrl+L', choose: () => actions.forward(mail) },
    {
      name: mail.read ? 'Mark as unread' : 'Mark as read',
      shortcut: 'Ctrl+U',
      apart: true,
      choose: () => actions.toggleRead(mail),
    },
    {
      name: mail.starred ? 'Remove star' : 'Add star',
      shortcut: 'Ctrl+D',
      choose: () => actions.toggleStar(mail),
    },
    ...targets.map((folder, index) => ({
      name: `Move to ${folder}`,
      apart: index === 0,
      choose: () => actions.move(mail, folder),
    })),
    {
      name: mail.folder === 'Trash' ? 'Delete for good...' : 'Move to Trash',
      shortcut: 'Del',
      choose: () => actions.remove(mail),
    },
    {
      name: actions.isFromContact(mail) ? 'Show in Contacts' : 'Add to Contacts...',
      apart: true,
      choose: () => actions.showContact(mail),
    },
  ];
}

/** The context menu of a mail's text. */
function textItems(mail: Mail, address: string): readonly MenuItem[] {
  const copy = (name: string, text: string): MenuItem => ({
    name,
    choose: ui => {
      ui.clipboard = text;
    },
  });
  return [copy('Copy text', mail.body), copy('Copy address', address)];
}

export function folderItems(actions: MailActions, folder: MailFolder): readonly MenuItem[] {
  const enabled = actions.world.mails.some(mail => mail.folder === folder);
  const readAll = { name: 'Mark all as read', enabled, choose: () => actions.readAll(folder) };
  const empty = { name: 'Empty Trash...', enabled, choose: () => actions.emptyTrash() };
  return folder === 'Trash' ? [readAll, empty] : [readAll];
}

/** The items of the menu Message. */
export const messageItems = (mail: Mail | undefined, actions: MailActions): readonly MenuItem[] => [
  { name: 'New mail', shortcut: 'Ctrl+N', choose: () => actions.write() },
  ...(mail === undefined ? [] : mailItems(mail, actions)).map((item, index) =>
    index === 0 ? { ...item, apart: true } : item,
  ),
];

const ORDERS: readonly (readonly [name: string, order: MailOrder])[] = [
  ['Newest first', NEWEST_FIRST],
  ['Oldest first', { by: 'age', descending: false }],
  ['By name', { by: 'who', descending: false }],
  ['By subject', { by: 'subject', descending: false }],
  ['Starred first', { by: 'star', descending: false }],
];

export const sortMenu = (browsing: Browsing): BarMenu => ({
  name: 'Sort',
  items: () =>
    ORDERS.map(([name, order]) => ({
      name,
      checked: order.by === browsing.order.by && order.descending === browsing.order.descending,
      choose: () => browsing.arrange(order),
    })),
});

const FOLDER_ICONS = { Inbox: 'mail', Sent: 'folder', Drafts: 'file', Trash: 'trash' } as const;
const COLUMNS = [9, 13];
const STAR_WIDTH = 14;
const STAR = ['   x   ', '   x   ', 'xxxxxxx', ' xxxxx ', '  xxx  ', ' xx xx ', ' x   x '];
const GOLD = 0xe3a92b;
const TEXT_MARGIN = 4;
const MAIL_PAYLOAD = 'mail';

export function folderList(actions: MailActions): Widget {
  const { world, browsing } = actions;
  return rows(
    FOLDERS.map(folder => {
      // Only the inbox counts unread mails.
      const unread = folder === 'Inbox' ? unreadIn(world, folder) : 0;
      const chosen = folder === browsing.folder;
      const plain = listRow(unread > 0 ? `${folder} (${unread})` : folder, {
        key: `folder ${folder}`,
        chosen,
        bold: unread > 0,
        icon: FOLDER_ICONS[folder],
        press: () => browsing.enter(folder),
        menu: () => folderItems(actions, folder),
        drop: ({ kind, name }) => {
          const mail = kind === MAIL_PAYLOAD ? mailWith(world, Number(name)) : undefined;
          if (mail !== undefined) actions.move(mail, folder);
        },
      });
      const value = unread > 0 ? `${unread} unread` : undefined;
      const describe = { role: 'treeitem', name: folder, value, states: plain.describe?.states ?? [] };
      return extendWidget(plain, { describe });
    }),
  );
}

export function mailList(actions: MailActions): Widget {
  const { browsing } = actions;
  const { contacts } = actions.world;
  const { folder, order, mails, mail: chosen } = browsing;
  const query = browsing.query.text.trim();
  const mailRow = (mail: Mail): Widget => {
    const cells = tableRow([correspondent(contacts, mail), subjectOf(mail)], COLUMNS, {
      key: rowKey(mail.id),
      value: mail.read ? '' : 'unread',
      chosen: mail === chosen,
      bold: !mail.read,
      press: () => browsing.choose(mail),
      double: () => actions.open(mail),
      menu: () => mailItems(mail, actions),
      payload: { kind: MAIL_PAYLOAD, name: String(mail.id) },
    });
    return row([starMark(mail, mail === chosen, actions), growing(cells)], { gap: 0 });
  };
  const person = folder === 'Sent' || folder === 'Drafts' ? 'To' : 'From';
  const sorts: readonly MailOrder['by'][] = ['who', 'subject'];
  const sorted = sorts.indexOf(order.by);
  const head = tableHead(
    [person, 'Subject'],
    COLUMNS,
    index => browsing.sort(sorts[index] ?? 'age'),
    sorted < 0 ? undefined : { column: sorted, descending: order.descending },
  );
  const empty = query === '' ? `${folder} is empty.` : `Nothing here contains '${query}'.`;
  return panel(
    column(
      [
        row([starHead(() => browsing.sort('star')), growing(head), headCorner()], { gap: 0 }),
        scrolled(rows(mails.map(mailRow), emptyNote(empty, 6)), 'Scroll mails', browsing.listScroll),
      ],
      { gap: 0, grow: 1 },
    ),
    { field: true },
  );
}

const starMark = (mail: Mail, chosen: boolean, actions: MailActions): Widget => ({
  paintKey: `star ${mail.starred} ${chosen}`,
  describe: { role: 'checkbox', name: `Star ${mail.subject}`, states: mail.starred ? ['checked'] : [] },
  on: { press: () => actions.toggleStar(mail) },
  measure: () => ({ width: STAR_WIDTH, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, chosen ? theme.selection : theme.field);
    surface.bitmap(STAR, area.x + 4, textTop(area.y, area.height), { x: mail.starred ? GOLD : theme.shade });
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

/** A mail for reading. */
export function mailPage(actions: MailActions, mail: Mail): Widget {
  const person = personAt(actions.world.contacts, mail.from);
  const address = bareAddress(mail.from);
  const from = person === address ? address : `${person} <${address}>`;
  const head = column(
    [
      row([growing(label(subjectOf(mail), { bold: true })), starMark(mail, false, actions)], { gap: 2 }),
      label(`From: ${from}`, { wrap: true }),
      label(`To: ${mail.to}`, { faint: true }),
    ],
    { gap: 0, margin: 4 },
  );
  const text = scrolled(
    mailText(mail.body, textItems(mail, address)),
    'Scroll mail text',
    actions.browsing.textScroll,
  );
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
