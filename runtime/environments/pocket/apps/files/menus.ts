// The menus of Files: the menu bar and the context menus of entries and folders.

import type { BarMenu } from '../../toolkit/bars.ts';
import type { MenuItem, UiServices } from '../../toolkit/widget.ts';
import { parentOf } from '../../world.ts';
import type { FileActions } from './actions.ts';
import type { Browser } from './browser.ts';
import { TRASH } from './entries.ts';

const apart = (item: MenuItem): MenuItem => ({ ...item, apart: true });

/** The parts of the application that menus and panes use. */
export interface FilesParts {
  readonly browser: Browser;
  readonly actions: FileActions;
  /** Opens the search field. */
  readonly find: (ui: UiServices) => void;
}

/** The items for one entry, all disabled if there is none. */
function entryItems({ actions }: FilesParts, path: string | undefined) {
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

const folderItems = ({ actions }: FilesParts, folder: string) => ({
  newFolder: { name: 'New Folder...', shortcut: 'Ctrl+N', choose: () => actions.newFolder(folder) },
  paste: {
    name: 'Paste',
    shortcut: 'Ctrl+V',
    enabled: actions.canPaste,
    choose: () => actions.paste(folder),
  },
  empty: { name: 'Empty Trash...', choose: () => actions.emptyTrash() },
});

export function entryMenu(parts: FilesParts, path: string): readonly MenuItem[] {
  const { open, restore, cut, copy, rename, remove } = entryItems(parts, path);
  if (path === TRASH) return [open, apart(folderItems(parts, path).empty)];
  if (parentOf(path) === TRASH) return [restore, apart(cut), copy, apart(remove)];
  return [open, apart(cut), copy, apart(rename), remove];
}

/** The context menu of the empty space below the entries. */
export function backgroundMenu(parts: FilesParts, folder: string): readonly MenuItem[] {
  const { newFolder, paste, empty } = folderItems(parts, folder);
  return [folder === TRASH ? empty : newFolder, apart(paste)];
}

/** The context menu of a folder in the tree. */
export function treeMenu(parts: FilesParts, folder: string): readonly MenuItem[] {
  if (folder === '/' || folder === TRASH) return backgroundMenu(parts, folder);
  const { cut, copy, rename, remove } = entryItems(parts, folder);
  const { newFolder, paste } = folderItems(parts, folder);
  return [newFolder, apart(cut), copy, paste, apart(rename), remove];
}

export function barMenus(parts: FilesParts): readonly BarMenu[] {
  const { browser, find } = parts;
  const { folder } = browser;
  return [
    {
      name: 'File',
      items: () => {
        const { chosen } = browser;
        const { open, restore, rename, remove } = entryItems(parts, chosen);
        const { newFolder, empty } = folderItems(parts, folder);
        const enabled = chosen !== undefined && parentOf(chosen) === TRASH;
        const trashItems = folder === TRASH ? [apart({ ...restore, enabled }), empty] : [];
        return [newFolder, apart(open), rename, remove, ...trashItems];
      },
    },
    {
      name: 'Edit',
      items: () => {
        const { cut, copy } = entryItems(parts, browser.chosen);
        const { paste } = folderItems(parts, folder);
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
