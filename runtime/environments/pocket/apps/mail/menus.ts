// The menus of Mail: the items for a mail, for a folder and for the order of the list.

import type { BarMenu } from '../../toolkit/bars.ts';
import type { MenuItem } from '../../toolkit/widget.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import type { MailActions } from './actions.ts';
import type { Browsing } from './browsing.ts';
import { FOLDERS, type MailFolder, type MailOrder, NEWEST_FIRST } from './mailbox.ts';

/** The parts of the application that menus and panes use. */
export interface MailParts {
  readonly world: PocketWorld;
  readonly browsing: Browsing;
  readonly actions: MailActions;
}

export function mailItems(mail: Mail, actions: MailActions): readonly MenuItem[] {
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
export function textItems(mail: Mail, address: string): readonly MenuItem[] {
  const copy = (name: string, text: string): MenuItem => ({
    name,
    choose: ui => {
      ui.clipboard = text;
    },
  });
  return [copy('Copy text', mail.body), copy('Copy address', address)];
}

export function folderItems({ world, actions }: MailParts, folder: MailFolder): readonly MenuItem[] {
  const enabled = world.mails.some(mail => mail.folder === folder);
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
