// The menus of the Files window: over an entry, over a folder's empty space, and along the top.

import type { BarMenu } from '../../toolkit/bars.ts';
import type { MenuItem, UiServices } from '../../toolkit/widget.ts';
import { parentOf } from '../../world.ts';
import type { Actions } from './actions.ts';
import type { Browser } from './browser.ts';
import { TRASH } from './entries.ts';

const apart = (item: MenuItem): MenuItem => ({ ...item, apart: true });

/** What the parts of the Files window work on. */
export interface Files {
  readonly browser: Browser;
  readonly actions: Actions;
  /** Shows the field that looks for names. */
  readonly find: (ui: UiServices) => void;
}

const emptyItem = ({ actions }: Files): MenuItem => ({
  name: 'Empty Trash...',
  choose: () => actions.emptyTrash(),
});

/** The same items for an entry wherever they are offered; all are disabled where none is chosen. */
function entryItems({ actions }: Files, path: string | undefined) {
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

const pasteItem = ({ actions }: Files, folder: string): MenuItem => ({
  name: 'Paste',
  shortcut: 'Ctrl+V',
  enabled: actions.canPaste,
  choose: () => actions.paste(folder),
});

const newFolderItem = ({ actions }: Files, folder: string): MenuItem => ({
  name: 'New Folder...',
  shortcut: 'Ctrl+N',
  choose: () => actions.newFolder(folder),
});

export function entryMenu(files: Files, path: string): readonly MenuItem[] {
  const { open, restore, cut, copy, rename, remove } = entryItems(files, path);
  if (path === TRASH) return [open, apart(emptyItem(files))];
  if (parentOf(path) === TRASH) return [restore, apart(cut), copy, apart(remove)];
  return [open, apart(cut), copy, apart(rename), remove];
}

/** Over a folder's empty space. */
export function groundMenu(files: Files, folder: string): readonly MenuItem[] {
  if (folder === TRASH) return [emptyItem(files), apart(pasteItem(files, folder))];
  return [newFolderItem(files, folder), apart(pasteItem(files, folder))];
}

/** Over a folder in the tree. */
export function folderMenu(files: Files, folder: string): readonly MenuItem[] {
  if (folder === '/' || folder === TRASH) return groundMenu(files, folder);
  const { cut, copy, rename, remove } = entryItems(files, folder);
  return [newFolderItem(files, folder), apart(cut), copy, pasteItem(files, folder), apart(rename), remove];
}

export function barMenus(files: Files): readonly BarMenu[] {
  const { browser, find } = files;
  const { folder } = browser;
  const chosenItems = () => entryItems(files, browser.chosen);
  return [
    {
      name: 'File',
      items: () => {
        const { open, restore, rename, remove } = chosenItems();
        const { chosen } = browser;
        const inTrash = chosen !== undefined && parentOf(chosen) === TRASH;
        const ofTrash = folder === TRASH ? [apart({ ...restore, enabled: inTrash }), emptyItem(files)] : [];
        return [newFolderItem(files, folder), apart(open), rename, remove, ...ofTrash];
      },
    },
    {
      name: 'Edit',
      items: () => {
        const { cut, copy } = chosenItems();
        return [
          cut,
          copy,
          pasteItem(files, folder),
          apart({ name: 'Find...', shortcut: 'Ctrl+F', choose: find }),
        ];
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
