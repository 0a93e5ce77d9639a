// The panes of Files, the tree of folders and the table of entries, and the menus of both.

import { column, growing, sized } from '../../toolkit/boxes.ts';
import type { BarMenu } from '../../toolkit/controls.ts';
import { panel } from '../../toolkit/controls.ts';
import { emptyNote, rows, tableHead, tableRow, treeRow, withArrowKeys } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { DragPayload, MenuItem, UiServices, Widget } from '../../toolkit/widget.ts';
import { type FileEntry, parentOf } from '../../world.ts';
import type { FileActions, ListedEntry } from './actions.ts';
import { listed, TRASH, titleOf } from './entries.ts';

const apart = (item: MenuItem): MenuItem => ({ ...item, apart: true });

/** The key of the search field and of the button that opens it. */
export const FIND = 'Find';

/** The items for one entry, all disabled if there is none. */
function entryItems(actions: FileActions, path: string | undefined) {
  const item = (name: string, shortcut: string, act: (path: string) => void): MenuItem => ({
    name,
    ...(shortcut !== '' && { shortcut }),
    enabled: path !== undefined,
    choose: () => {
      if (path !== undefined) act(path);
    },
  });
  return {
    open: item('Open', 'Enter', each => actions.open(each)),
    restore: item('Restore', '', each => actions.restore(each)),
    cut: item('Cut', 'Ctrl+X', each => actions.cut(each)),
    copy: item('Copy', 'Ctrl+C', each => actions.copy(each)),
    rename: item('Rename...', 'F2', each => actions.rename(each)),
    remove: item('Delete...', 'Del', each => actions.remove(each)),
  };
}

const folderItems = (actions: FileActions, folder: string) => ({
  newFolder: { name: 'New Folder...', shortcut: 'Ctrl+N', choose: () => actions.newFolder(folder) },
  paste: {
    name: 'Paste',
    shortcut: 'Ctrl+V',
    enabled: actions.canPaste,
    choose: () => actions.paste(folder),
  },
  empty: { name: 'Empty Trash...', choose: () => actions.emptyTrash() },
});

function entryMenu(actions: FileActions, path: string): readonly MenuItem[] {
  const { open, restore, cut, copy, rename, remove } = entryItems(actions, path);
  if (path === TRASH) return [open, apart(folderItems(actions, path).empty)];
  if (parentOf(path) === TRASH) return [restore, apart(cut), copy, apart(remove)];
  return [open, apart(cut), copy, apart(rename), remove];
}

/** The context menu of the empty space below the entries. */
function backgroundMenu(actions: FileActions, folder: string): readonly MenuItem[] {
  const { newFolder, paste, empty } = folderItems(actions, folder);
  return [folder === TRASH ? empty : newFolder, apart(paste)];
}

/** The context menu of a folder in the tree. */
function treeMenu(actions: FileActions, folder: string): readonly MenuItem[] {
  if (folder === '/' || folder === TRASH) return backgroundMenu(actions, folder);
  const { cut, copy, rename, remove } = entryItems(actions, folder);
  const { newFolder, paste } = folderItems(actions, folder);
  return [newFolder, apart(cut), copy, paste, apart(rename), remove];
}

export function barMenus(actions: FileActions): readonly BarMenu[] {
  const { browser } = actions;
  const { folder } = browser;
  const find = (ui: UiServices) => {
    browser.openSearch();
    ui.focus(FIND);
  };
  return [
    {
      name: 'File',
      items: () => {
        const { chosen } = browser;
        const { open, restore, rename, remove } = entryItems(actions, chosen);
        const { newFolder, empty } = folderItems(actions, folder);
        const enabled = chosen !== undefined && parentOf(chosen) === TRASH;
        const trashItems = folder === TRASH ? [apart({ ...restore, enabled }), empty] : [];
        return [newFolder, apart(open), rename, remove, ...trashItems];
      },
    },
    {
      name: 'Edit',
      items: () => {
        const { cut, copy } = entryItems(actions, browser.chosen);
        const { paste } = folderItems(actions, folder);
        return [cut, copy, paste, apart({ name: 'Find...', shortcut: 'Ctrl+F', choose: find })];
      },
    },
    {
      name: 'Go',
      items: () => [
        { name: 'Up', shortcut: 'Backspace', enabled: folder !== '/', choose: () => browser.up() },
        apart({ name: 'Home', choose: () => browser.go('/') }),
        { name: 'Trash', enabled: browser.hasTrash, choose: () => browser.go(TRASH) },
      ],
    },
  ];
}

const TREE_WIDTH = 92;
const COLUMNS = [5, 2];
/** The columns of the rows in pixels, without icon and scroll bar: the heads stand above them. */
const HEADS = [112, 55];

const ENTRY_PAYLOAD = 'entry';

/** Moves a dropped entry into a folder. */
const dropInto =
  (actions: FileActions, folder: string) =>
  ({ kind, name }: DragPayload): void => {
    if (kind === ENTRY_PAYLOAD) actions.moveInto(name, folder);
  };

interface TreeFolder {
  readonly path: string;
  readonly depth: number;
  /** Undefined if it contains no folder. */
  readonly open: boolean | undefined;
}

/** The visible folders of the tree, from the top. */
function treeFolders({ browser }: FileActions): readonly TreeFolder[] {
  const below = (path: string, depth: number): readonly TreeFolder[] => {
    const inner = foldersIn(path);
    const open = inner.length === 0 ? undefined : browser.isOpen(path);
    return [{ path, depth, open }, ...(open ? inner.flatMap(each => below(each, depth + 1)) : [])];
  };
  const foldersIn = (path: string): readonly string[] =>
    listed(browser.root, path, 'folder').map(each => each.path);
  // The folders of the root are at its own depth and always visible, since the tree is narrow.
  return [{ path: '/', depth: 0, open: undefined }, ...foldersIn('/').flatMap(each => below(each, 0))];
}

const treeKey = ({ path }: TreeFolder): string => `tree ${path}`;

export function tree(actions: FileActions): Widget {
  const { browser } = actions;
  const { folder } = browser;
  const folders = treeFolders(actions);
  const all = folders.map((each, index) => {
    const { path, depth, open } = each;
    const toggle = () => browser.toggle(path);
    const row = treeRow(
      titleOf(path),
      { depth, ...(open !== undefined && { open, toggle }) },
      {
        key: treeKey(each),
        icon: path === TRASH ? 'trash' : 'folder',
        chosen: path === folder,
        press: () => browser.go(path),
        menu: () => treeMenu(actions, path),
        drop: dropInto(actions, path),
        payload: path !== '/' && path !== TRASH ? { kind: ENTRY_PAYLOAD, name: path } : undefined,
      },
    );
    return withArrowKeys(row, folders, index, treeKey, next => browser.go(next.path));
  });
  const view = scrolled(rows(all), 'Folders scroll', browser.treeScroll);
  // The column makes it grow downwards and not sideways.
  return sized(column([panel(view, { field: true })]), { width: TREE_WIDTH });
}

export const sizeOf = (entry: FileEntry): string => {
  if (entry.kind === 'file') return String(entry.text.length);
  const count = Object.keys(entry.entries).length;
  return count === 1 ? '1 item' : `${count} items`;
};

export const rowKey = (path: string): string => `entry ${path}`;

function entryRow(
  actions: FileActions,
  { path, caption, entry }: ListedEntry,
  chosen: string | undefined,
): Widget {
  const { browser } = actions;
  const size = sizeOf(entry);
  return tableRow([caption, size], COLUMNS, {
    key: rowKey(path),
    name: caption,
    value: size,
    icon: path === TRASH ? 'trash' : entry.kind,
    chosen: path === chosen,
    press: () => browser.choose(path),
    double: () => actions.open(path),
    menu: () => entryMenu(actions, path),
    payload: { kind: ENTRY_PAYLOAD, name: path },
    drop: entry.kind === 'folder' ? dropInto(actions, path) : undefined,
  });
}

export function list(actions: FileActions): Widget {
  const { rows: entries, chosen, query, listScroll } = actions.browser;
  const empty = emptyNote(query === undefined ? 'This folder is empty.' : 'Nothing is called so.', 4);
  const all = entries.map(each => entryRow(actions, each, chosen));
  const view = scrolled(rows(all, empty), 'List scroll', listScroll);
  const table = column([tableHead(['Name', 'Size'], HEADS), growing(background(actions, view))], { gap: 0 });
  return growing(panel(table, { field: true }));
}

/** Behind the rows: a press, a drop or a menu beside them concerns the current folder. */
function background(actions: FileActions, content: Widget): Widget {
  const { browser } = actions;
  return {
    paintKey: 'ground',
    measure: width => content.measure(width),
    children: area => [{ widget: content, box: area }],
    on: {
      press: () => browser.choose(undefined),
      menu: (): readonly MenuItem[] => {
        browser.choose(undefined);
        return backgroundMenu(actions, browser.folder);
      },
      // Search results are not a folder.
      drop: browser.isSearching ? undefined : dropInto(actions, browser.folder),
    },
  };
}
