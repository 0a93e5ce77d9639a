// The two panes of Files: the tree of folders and the table of entries.

import { column, growing, sized } from '../../toolkit/boxes.ts';
import { panel } from '../../toolkit/controls.ts';
import { emptyNote, rows, tableHead, tableRow, treeRow, withArrowKeys } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { DragPayload, MenuItem, Widget } from '../../toolkit/widget.ts';
import type { FileEntry } from '../../world.ts';
import type { ListedEntry } from './browser.ts';
import { listed, TRASH, titleOf } from './entries.ts';
import { backgroundMenu, entryMenu, type FilesParts, treeMenu } from './menus.ts';

const TREE_WIDTH = 92;
const COLUMNS = [5, 2];
/** The columns of the rows in pixels, without icon and scroll bar: the heads stand above them. */
const HEADS = [112, 55];

const ENTRY_PAYLOAD = 'entry';

/** Moves a dropped entry into a folder. */
const dropInto =
  ({ actions }: FilesParts, folder: string) =>
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
function treeFolders({ browser }: FilesParts): readonly TreeFolder[] {
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

export function tree(parts: FilesParts): Widget {
  const { browser } = parts;
  const { folder } = browser;
  const folders = treeFolders(parts);
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
        menu: () => treeMenu(parts, path),
        drop: dropInto(parts, path),
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
  parts: FilesParts,
  { path, shown, entry }: ListedEntry,
  chosen: string | undefined,
): Widget {
  const { browser, actions } = parts;
  const size = sizeOf(entry);
  return tableRow([shown, size], COLUMNS, {
    key: rowKey(path),
    name: shown,
    value: size,
    icon: path === TRASH ? 'trash' : entry.kind,
    chosen: path === chosen,
    press: () => browser.choose(path),
    double: () => actions.open(path),
    menu: () => entryMenu(parts, path),
    payload: { kind: ENTRY_PAYLOAD, name: path },
    drop: entry.kind === 'folder' ? dropInto(parts, path) : undefined,
  });
}

export function list(parts: FilesParts): Widget {
  const { rows: entries, chosen, query, listScroll } = parts.browser;
  const empty = emptyNote(query === undefined ? 'This folder is empty.' : 'Nothing is called so.', 4);
  const all = entries.map(each => entryRow(parts, each, chosen));
  const view = scrolled(rows(all, empty), 'List scroll', listScroll);
  const table = column([tableHead(['Name', 'Size'], HEADS), growing(background(parts, view))], { gap: 0 });
  return growing(panel(table, { field: true }));
}

/** Behind the rows: a press, a drop or a menu beside them concerns the current folder. */
function background(parts: FilesParts, content: Widget): Widget {
  const { browser } = parts;
  return {
    paintKey: 'ground',
    measure: width => content.measure(width),
    children: area => [{ widget: content, box: area }],
    on: {
      press: () => browser.choose(undefined),
      menu: (): readonly MenuItem[] => {
        browser.choose(undefined);
        return backgroundMenu(parts, browser.folder);
      },
      // Search results are not a folder.
      drop: browser.isSearching ? undefined : dropInto(parts, browser.folder),
    },
  };
}
