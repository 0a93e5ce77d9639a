// The folders at the left of Mail's window, and the list of a folder's mails.

import { column, growing, row } from '../../toolkit/boxes.ts';
import { label, panel } from '../../toolkit/controls.ts';
import { listRow, ROW_HEIGHT, rows, tableHead, tableRow } from '../../toolkit/rows.ts';
import { BAR, scrolled } from '../../toolkit/scroll.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { Contact, Mail, PocketWorld } from '../../world.ts';
import { correspondent, FOLDERS, type MailFolder, type MailOrder, subjectOf, unreadIn } from './mailbox.ts';
import { starHead, starMark } from './star.ts';

const FOLDER_ICONS = { Inbox: 'mail', Sent: 'folder', Drafts: 'file', Trash: 'trash' } as const;
const COLUMNS = [9, 13];

interface FolderOptions {
  readonly chosen: MailFolder;
  readonly choose: (folder: MailFolder) => void;
  /** A mail was dragged onto a folder. */
  readonly move: (id: number, folder: MailFolder) => void;
  readonly menu: (folder: MailFolder) => readonly MenuItem[];
}

export const folderList = (world: PocketWorld, { chosen, choose, move, menu }: FolderOptions): Widget =>
  rows(
    FOLDERS.map(folder => {
      // What was never sent is not unread, and nobody counts what was thrown away.
      const unread = folder === 'Inbox' ? unreadIn(world, folder) : 0;
      return extendWidget(
        listRow(unread > 0 ? `${folder} (${unread})` : folder, {
          key: `folder ${folder}`,
          chosen: folder === chosen,
          bold: unread > 0,
          icon: FOLDER_ICONS[folder],
          press: () => choose(folder),
          menu: () => menu(folder),
          drop: ({ kind, name }) => {
            if (kind === 'mail') move(Number(name), folder);
          },
        }),
        {
          describe: {
            role: 'treeitem',
            name: folder,
            value: unread > 0 ? `${unread} unread` : undefined,
            states: folder === chosen ? ['selected'] : [],
          },
        },
      );
    }),
  );

interface ListOptions {
  readonly contacts: readonly Contact[];
  readonly folder: MailFolder;
  readonly chosen: number | undefined;
  readonly order: MailOrder;
  readonly offset: number;
  /** What to say where there is nothing to list. */
  readonly nothing: string;
  readonly scroll: (offset: number) => void;
  readonly sort: (by: MailOrder['by']) => void;
  readonly choose: (mail: Mail) => void;
  readonly open: (mail: Mail) => void;
  readonly star: (mail: Mail) => void;
  readonly menu: (mail: Mail) => readonly MenuItem[];
}

export const rowKey = (id: number): string => `mail ${id}`;

export function mailList(mails: readonly Mail[], options: ListOptions): Widget {
  const { contacts, folder, chosen, order, offset, nothing, scroll, sort, choose, open, star, menu } =
    options;
  const line = (mail: Mail): Widget => {
    const cells = [correspondent(contacts, mail), subjectOf(mail)];
    const cellsRow = tableRow(cells, COLUMNS, {
      key: rowKey(mail.id),
      value: mail.read ? '' : 'unread',
      chosen: mail.id === chosen,
      bold: !mail.read,
      press: () => choose(mail),
      double: () => open(mail),
      menu: () => menu(mail),
      payload: { kind: 'mail', name: String(mail.id) },
    });
    return row([starMark(mail, mail.id === chosen, () => star(mail)), growing(cellsRow)], { gap: 0 });
  };
  const second = folder === 'Sent' || folder === 'Drafts' ? 'To' : 'From';
  const sorts: readonly MailOrder['by'][] = ['who', 'subject'];
  const sorted = sorts.indexOf(order.by);
  const head = tableHead(
    [second, 'Subject'],
    COLUMNS,
    index => sort(sorts[index] ?? 'age'),
    sorted < 0 ? undefined : { column: sorted, descending: order.descending },
  );
  const content =
    mails.length > 0 ? rows(mails.map(line)) : column([label(nothing, { faint: true })], { margin: 6 });
  return panel(
    column(
      [
        row([starHead(() => sort('star')), growing(head), overBar()], { gap: 0 }),
        scrolled(content, { key: 'Scroll mails', offset, change: scroll }),
      ],
      { gap: 0, grow: 1 },
    ),
    { field: true },
  );
}

/** Above the scroll bar the head goes on, so that its columns are those of the rows. */
const overBar = (): Widget => ({
  paintKey: 'over bar',
  measure: () => ({ width: BAR, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, theme.button);
    surface.fill({ ...area, y: area.y + area.height - 1, height: 1 }, theme.buttonEdge);
  },
});
