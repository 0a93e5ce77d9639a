// The two panes of the Files window: the tree of folders, and the table of what is in the chosen one.

import { column, growing, sized } from '../../toolkit/boxes.ts';
import { label, panel } from '../../toolkit/controls.ts';
import { rows, tableHead, tableRow, treeRow } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import { type DragPayload, extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { FileEntry } from '../../world.ts';
import type { ListedEntry } from './browser.ts';
import { listed, TRASH, titleOf } from './entries.ts';
import { entryMenu, type Files, folderMenu, groundMenu } from './menus.ts';

const TREE_WIDTH = 92;
const COLUMNS = [5, 2];
/** A row shares out what its icon and the scroll bar leave: its columns stand under these heads. */
const HEADS = [112, 55];

const carried = (path: string): DragPayload => ({ kind: 'entry', name: path });

const entered =
  ({ actions }: Files, folder: string) =>
  (cargo: DragPayload): void => {
    if (cargo.kind === 'entry') actions.moveInto(cargo.name, folder);
  };

interface TreeFolder {
  readonly path: string;
  readonly depth: number;
  /** Undefined where no folder is in it. */
  readonly open: boolean | undefined;
}

/** The folders that the tree shows, from the top. */
function treeFolders({ browser }: Files): readonly TreeFolder[] {
  const below = (path: string, depth: number): readonly TreeFolder[] => {
    const inner = foldersIn(path);
    const open = inner.length === 0 ? undefined : browser.isOpen(path);
    return [{ path, depth, open }, ...(open ? inner.flatMap(each => below(each, depth + 1)) : [])];
  };
  const foldersIn = (path: string): readonly string[] =>
    listed(browser.root, path, 'folder').map(each => each.path);
  // What is in the root stands beside it, always open: depth is dear in a narrow tree.
  return [{ path: '/', depth: 0, open: undefined }, ...foldersIn('/').flatMap(each => below(each, 0))];
}

const treeKey = (path: string): string => `tree ${path}`;

export function tree(files: Files): Widget {
  const { browser } = files;
  const folders = treeFolders(files);
  const { folder } = browser;
  const all = folders.map(({ path, depth, open }, index) => {
    const toggle = () => browser.toggle(path);
    const row = treeRow(
      titleOf(path),
      { depth, ...(open !== undefined && { open, toggle }) },
      {
        key: treeKey(path),
        icon: path === TRASH ? 'trash' : 'folder',
        chosen: path === folder,
        press: () => browser.go(path),
        menu: () => folderMenu(files, path),
        drop: entered(files, path),
        payload: path !== '/' && path !== TRASH ? carried(path) : undefined,
      },
    );
    const stroke: NonNullable<Widget['on']>['stroke'] = (key, ui, area) => {
      const next = folders[index + ({ up: -1, down: 1 }[key] ?? 0)];
      if (key !== 'up' && key !== 'down') return row.on?.stroke?.(key, ui, area) ?? false;
      if (next === undefined) return true;
      browser.go(next.path);
      ui.focus(treeKey(next.path));
      return true;
    };
    return extendWidget(row, { on: { ...row.on, stroke } });
  });
  const view = scrolled(rows(all), {
    key: 'Folders scroll',
    offset: browser.treeOffset,
    change: offset => {
      browser.treeOffset = offset;
    },
  });
  // In a column of its own it grows downwards, and not sideways beside the list.
  return sized(column([panel(view, { field: true })]), { width: TREE_WIDTH });
}

export const sizeOf = (entry: FileEntry): string => {
  if (entry.kind === 'file') return String(entry.text.length);
  const count = Object.keys(entry.entries).length;
  return count === 1 ? '1 item' : `${count} items`;
};

export const rowKey = (path: string): string => `entry ${path}`;

function entryRow(files: Files, { path, shown, entry }: ListedEntry, chosen: string | undefined): Widget {
  const { browser, actions } = files;
  const size = sizeOf(entry);
  return tableRow([shown, size], COLUMNS, {
    key: rowKey(path),
    name: shown,
    value: size,
    icon: path === TRASH ? 'trash' : entry.kind,
    chosen: path === chosen,
    press: () => browser.choose(path),
    double: () => actions.open(path),
    menu: () => entryMenu(files, path),
    payload: carried(path),
    drop: entry.kind === 'folder' ? entered(files, path) : undefined,
  });
}

export function list(files: Files): Widget {
  const { browser } = files;
  const { rows: shown, chosen } = browser;
  const nothing = browser.wanted === undefined ? 'This folder is empty.' : 'Nothing is called so.';
  const content =
    shown.length === 0
      ? column([label(nothing, { faint: true })], { margin: 4 })
      : rows(shown.map(each => entryRow(files, each, chosen)));
  const view = scrolled(content, {
    key: 'List scroll',
    offset: browser.listOffset,
    change: offset => {
      browser.listOffset = offset;
    },
  });
  const table = column([tableHead(['Name', 'Size'], HEADS), growing(ground(files, view))], { gap: 0 });
  return growing(panel(table, { field: true }));
}

/** Behind the rows: what is pressed, dropped or asked for beside them concerns the folder itself. */
function ground(files: Files, content: Widget): Widget {
  const { browser } = files;
  return {
    paintKey: 'ground',
    measure: width => content.measure(width),
    children: area => [{ widget: content, box: area }],
    on: {
      press: () => browser.choose(undefined),
      menu: (): readonly MenuItem[] => {
        browser.choose(undefined);
        return groundMenu(files, browser.folder);
      },
      // Among what was found the ground is no place.
      drop: browser.isSearching ? undefined : entered(files, browser.folder),
    },
  };
}
