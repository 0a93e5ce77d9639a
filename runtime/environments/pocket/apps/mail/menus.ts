// Mail's menus: what can be done with one mail, with a folder, and with the list. The same choices stand in the bar and
// under a right click.

import type { BarMenu } from '../../toolkit/bars.ts';
import type { MenuItem } from '../../toolkit/widget.ts';
import type { Mail } from '../../world.ts';
import { FOLDERS, type MailFolder, type MailOrder, NEWEST_FIRST } from './mailbox.ts';

/** What Mail can do; each acts on a mail that is given. */
export interface Deeds {
  write(): void;
  open(mail: Mail): void;
  reply(mail: Mail): void;
  forward(mail: Mail): void;
  toggleRead(mail: Mail): void;
  toggleStar(mail: Mail): void;
  move(mail: Mail, folder: MailFolder): void;
  remove(mail: Mail): void;
  knows(mail: Mail): boolean;
  showContact(mail: Mail): void;
  readAll(folder: MailFolder): void;
  emptyTrash(): void;
  arrange(order: MailOrder): void;
}

export function mailItems(mail: Mail, deeds: Deeds): readonly MenuItem[] {
  const draft = mail.folder === 'Drafts';
  const places = FOLDERS.filter(folder => folder !== mail.folder && folder !== 'Trash');
  return [
    { name: draft ? 'Edit' : 'Open', shortcut: 'Enter', choose: () => deeds.open(mail) },
    { name: 'Reply', shortcut: 'Ctrl+R', enabled: !draft, choose: () => deeds.reply(mail) },
    { name: 'Forward', shortcut: 'Ctrl+L', choose: () => deeds.forward(mail) },
    {
      name: mail.read ? 'Mark as unread' : 'Mark as read',
      shortcut: 'Ctrl+U',
      apart: true,
      choose: () => deeds.toggleRead(mail),
    },
    {
      name: mail.starred ? 'Remove star' : 'Add star',
      shortcut: 'Ctrl+D',
      choose: () => deeds.toggleStar(mail),
    },
    ...places.map((folder, index) => ({
      name: `Move to ${folder}`,
      apart: index === 0,
      choose: () => deeds.move(mail, folder),
    })),
    {
      name: mail.folder === 'Trash' ? 'Delete for good...' : 'Move to Trash',
      shortcut: 'Del',
      choose: () => deeds.remove(mail),
    },
    {
      name: deeds.knows(mail) ? 'Show in Contacts' : 'Add to Contacts...',
      apart: true,
      choose: () => deeds.showContact(mail),
    },
  ];
}

/** The shortcuts that the choices for one mail show. */
export const mailKeys = (mail: Mail, deeds: Deeds): Readonly<Record<string, () => void>> => ({
  enter: () => deeds.open(mail),
  'ctrl+r': () => deeds.reply(mail),
  'ctrl+l': () => deeds.forward(mail),
  'ctrl+u': () => deeds.toggleRead(mail),
  'ctrl+d': () => deeds.toggleStar(mail),
  delete: () => deeds.remove(mail),
});

/** What a right click on the text of a mail offers: to take it along. */
export const textItems = (mail: Mail, address: string): readonly MenuItem[] => [
  {
    name: 'Copy text',
    choose: ui => {
      ui.clipboard = mail.body;
    },
  },
  {
    name: 'Copy address',
    choose: ui => {
      ui.clipboard = address;
    },
  },
];

export const folderItems = (folder: MailFolder, empty: boolean, deeds: Deeds): readonly MenuItem[] => [
  { name: 'Mark all as read', enabled: !empty, choose: () => deeds.readAll(folder) },
  ...(folder === 'Trash'
    ? [{ name: 'Empty Trash...', enabled: !empty, choose: () => deeds.emptyTrash() }]
    : []),
];

const ORDERS: readonly (readonly [name: string, order: MailOrder])[] = [
  ['Newest first', NEWEST_FIRST],
  ['Oldest first', { by: 'age', descending: false }],
  ['By name', { by: 'who', descending: false }],
  ['By subject', { by: 'subject', descending: false }],
  ['Starred first', { by: 'star', descending: false }],
];

export const mailMenus = (
  mail: Mail | undefined,
  order: MailOrder,
  folderChoices: () => readonly MenuItem[],
  deeds: Deeds,
): readonly BarMenu[] => [
  {
    name: 'Message',
    items: () => [
      { name: 'New mail', shortcut: 'Ctrl+N', choose: () => deeds.write() },
      ...(mail === undefined ? [] : mailItems(mail, deeds)).map((item, index) =>
        index === 0 ? { ...item, apart: true } : item,
      ),
    ],
  },
  { name: 'Folder', items: folderChoices },
  {
    name: 'Sort',
    items: () =>
      ORDERS.map(([name, each]) => ({
        name,
        checked: each.by === order.by && each.descending === order.descending,
        choose: () => deeds.arrange(each),
      })),
  },
];
