// The navigation state of Files (current folder, open tree nodes, selection, search), and its actions. Each action changes
// the world and shows a toast; one that could lose something asks first.

import type { ShellServices } from '../../shell/app.ts';
import { growing, row } from '../../toolkit/boxes.ts';
import { label } from '../../toolkit/controls.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';
import { entryAt, type Folder, folderAt, joined, nameOf, parentOf } from '../../world.ts';
import { type DialogAnswer, type DialogSlot, Form } from '../app.ts';
import {
  copyEntry,
  emptyTrash,
  erase,
  type FileListing,
  freeName,
  isWithin,
  listing,
  moveEntry,
  moveToTrash,
  nameFault,
  placeFault,
  restore,
  search,
  TRASH,
  titleOf,
} from './entries.ts';

/** A row of the list. `caption` is the name, or in a search the path below the current folder. */
export interface ListedEntry extends FileListing {
  readonly caption: string;
}

export class Browser {
  readonly root: Folder;
  #folder = '/';
  /** The paths of the open tree nodes. */
  readonly #open = new Set<string>();
  #chosen: string | undefined;
  /** The search text; undefined while no search is open. */
  query: Editing | undefined;
  readonly treeScroll = { offset: 0 };
  readonly listScroll = { offset: 0 };

  constructor(root: Folder) {
    this.root = root;
  }

  /** The current folder, or its nearest parent that still exists. */
  get folder(): string {
    let path = this.#folder;
    while (path !== '/' && folderAt(this.root, path) === undefined) path = parentOf(path);
    return path;
  }

  get title(): string {
    return titleOf(this.folder);
  }

  /** The path of the selected entry. */
  get chosen(): string | undefined {
    return this.#chosen !== undefined && entryAt(this.root, this.#chosen) ? this.#chosen : undefined;
  }

  /** True while the list shows search results. */
  get isSearching(): boolean {
    return this.query !== undefined && this.query.text !== '';
  }

  get rows(): readonly ListedEntry[] {
    const { folder } = this;
    const text = this.query?.text ?? '';
    if (text === '') return listing(this.root, folder).map(each => ({ ...each, caption: each.name }));
    const above = folder === '/' ? 1 : folder.length + 1;
    return search(this.root, folder, text).map(each => ({ ...each, caption: each.path.slice(above) }));
  }

  get hasTrash(): boolean {
    return folderAt(this.root, TRASH) !== undefined;
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  toggle(path: string): void {
    if (!this.#open.delete(path)) this.#open.add(path);
  }

  go(path: string): void {
    this.#folder = path;
    this.#chosen = undefined;
    this.query = undefined;
    this.listScroll.offset = 0;
    for (let above = parentOf(path); above !== '/'; above = parentOf(above)) this.#open.add(above);
  }

  /** Goes to the parent folder and selects the folder it came from. */
  up(): void {
    const { folder } = this;
    if (folder === '/') return;
    this.go(parentOf(folder));
    this.#chosen = folder;
  }

  choose(path: string | undefined): void {
    this.#chosen = path;
  }

  /** Keeps the view on an entry or folder that has moved. */
  follow(from: string, to: string): void {
    const moved = (path: string): string => (isWithin(path, from) ? to + path.slice(from.length) : path);
    this.#folder = moved(this.#folder);
    if (this.#chosen !== undefined) this.#chosen = moved(this.#chosen);
    const open = [...this.#open];
    this.#open.clear();
    for (const path of open) this.#open.add(moved(path));
  }

  /** Undefined ends the search. */
  search(query: Editing | undefined): void {
    this.query = query;
    this.#chosen = undefined;
    this.listScroll.offset = 0;
  }

  openSearch(): void {
    this.search(this.query ?? editing(''));
  }
}

interface Clip {
  readonly path: string;
  readonly cut: boolean;
}

interface NameFormOptions {
  readonly title: string;
  readonly name: string;
  readonly action: string;
  readonly fault: (name: string) => string | undefined;
  readonly accept: (name: string) => void;
}

export class FileActions {
  readonly #root: Folder;
  /** The entry that was cut or copied. */
  #clip: Clip | undefined;

  constructor(
    readonly browser: Browser,
    private readonly shell: ShellServices,
    private readonly dialog: DialogSlot,
  ) {
    this.#root = browser.root;
  }

  get canPaste(): boolean {
    return this.#clip !== undefined;
  }

  open(path: string): void {
    const entry = entryAt(this.#root, path);
    if (entry?.kind === 'folder') this.browser.go(path);
    else if (entry !== undefined) this.shell.open('notes', path);
  }

  newFolder(folder: string): void {
    this.#askName({
      title: 'New folder',
      name: 'New folder',
      action: 'Create',
      fault: name => nameFault(this.#root, folder, name),
      accept: name => {
        const parent = folderAt(this.#root, folder);
        if (parent !== undefined) parent.entries[name] = { kind: 'folder', entries: {} };
        this.shell.toast(`Created folder '${name}'`);
        this.#chooseIfListed(joined(folder, name));
      },
    });
  }

  rename(path: string): void {
    if (this.#isFixed(path)) return;
    const [folder, old] = [parentOf(path), nameOf(path)];
    this.#askName({
      title: `Rename '${old}'`,
      name: old,
      action: 'Rename',
      fault: name => (name === old ? undefined : nameFault(this.#root, folder, name)),
      accept: name => {
        if (name === old) return;
        this.#move(path, joined(folder, name));
        this.shell.toast(`Renamed to '${name}'`);
      },
    });
  }

  remove(path: string): void {
    if (this.#isFixed(path)) return;
    const name = nameOf(path);
    if (isWithin(path, TRASH)) {
      this.#ask('Delete forever?', `'${name}' will be gone. This cannot be undone.`, {
        name: 'Delete',
        choose: () => {
          erase(this.#root, path);
          this.shell.toast(`Deleted '${name}'`);
        },
      });
      return;
    }
    this.#ask('Delete?', `Move '${name}' to the trash?`, {
      name: 'Delete',
      choose: () => this.#moveToTrash(path),
    });
  }

  restore(path: string): void {
    const to = restore(this.#root, path);
    if (to === undefined) this.shell.toast('A file is where its folder was');
    else this.shell.toast(`Restored '${nameOf(to)}' to ${titleOf(parentOf(to))}`);
  }

  emptyTrash(): void {
    const count = Object.keys(folderAt(this.#root, TRASH)?.entries ?? {}).length;
    if (count === 0) {
      this.shell.toast('The trash is empty');
      return;
    }
    const what = count === 1 ? 'one entry' : `all ${count} entries`;
    this.#ask('Empty the trash?', `Delete ${what} in the trash forever? This cannot be undone.`, {
      name: 'Empty',
      choose: () => {
        emptyTrash(this.#root);
        this.shell.toast('Emptied the trash');
      },
    });
  }

  copy(path: string): void {
    this.#clip = { path, cut: false };
    this.shell.toast(`Copied '${nameOf(path)}': paste it somewhere`);
  }

  cut(path: string): void {
    if (this.#isFixed(path)) return;
    this.#clip = { path, cut: true };
    this.shell.toast(`Cut '${nameOf(path)}': paste it somewhere`);
  }

  paste(folder: string): void {
    const clip = this.#clip;
    if (clip === undefined) return;
    if (clip.cut) {
      if (this.moveInto(clip.path, folder)) this.#clip = undefined;
      return;
    }
    const into = folderAt(this.#root, folder);
    const fault = placeFault(this.#root, clip.path, folder);
    if (fault !== undefined) this.shell.toast(fault);
    if (fault !== undefined || into === undefined) return;
    const to = joined(folder, freeName(into, nameOf(clip.path)));
    copyEntry(this.#root, clip.path, to);
    this.shell.toast(`Pasted '${nameOf(to)}' into ${titleOf(folder)}`);
    this.#chooseIfListed(to);
  }

  /** Returns true if the entry moves, at once or after a question about a name that is taken. */
  moveInto(path: string, folder: string): boolean {
    if (this.#isFixed(path)) return false;
    const fault = placeFault(this.#root, path, folder);
    if (fault !== undefined) {
      this.shell.toast(fault);
      return false;
    }
    const name = nameOf(path);
    const into = folderAt(this.#root, folder);
    if (parentOf(path) === folder || into === undefined) return false;
    const moveAs = (kept: string) => this.#moveWithToast(path, joined(folder, kept));
    if (folder === TRASH) this.#moveToTrash(path);
    else if (!Object.hasOwn(into.entries, name)) moveAs(name);
    else {
      const kept = freeName(into, name);
      const keep = { name: 'Keep both', choose: () => moveAs(kept) };
      const replace = { name: 'Replace', choose: () => moveAs(name) };
      const text = `There is already a '${name}' in ${titleOf(folder)}.`;
      // An entry cannot replace a folder that contains it.
      this.#ask('Replace?', text, ...(isWithin(path, joined(folder, name)) ? [] : [replace]), keep);
    }
    return true;
  }

  #moveToTrash(path: string): void {
    moveToTrash(this.#root, path);
    this.shell.toast(`Moved '${nameOf(path)}' to the trash`);
  }

  #moveWithToast(from: string, to: string): void {
    this.#move(from, to);
    this.shell.toast(`Moved '${nameOf(to)}' to ${titleOf(parentOf(to))}`);
  }

  #move(from: string, to: string): void {
    moveEntry(this.#root, from, to);
    this.browser.follow(from, to);
  }

  /** Selects a new entry if the list shows its folder. */
  #chooseIfListed(path: string): void {
    if (parentOf(path) === this.browser.folder) this.browser.choose(path);
  }

  /** The root and the trash cannot be moved, renamed or removed. */
  #isFixed(path: string): boolean {
    const fixed = path === '/' || path === TRASH;
    if (fixed) this.shell.toast(`${titleOf(path)} stays as it is`);
    return fixed;
  }

  #askName({ title, name, action, fault, accept }: NameFormOptions): void {
    const form = new Form({
      title,
      width: 168,
      gap: 7,
      margin: 7,
      action,
      fields: { Name: selectAll(editing(name)) },
      focus: 'Name',
      content: ({ field }) => [row([label('Name'), growing(field('Name'))])],
      submit: text => {
        const wrong = fault(text('Name'));
        if (wrong !== undefined) return wrong;
        this.dialog.close();
        accept(text('Name'));
        return undefined;
      },
      cancel: this.dialog.close,
    });
    this.dialog.open(form.dialog);
  }

  #ask(title: string, text: string, ...answers: readonly DialogAnswer[]): void {
    this.dialog.ask({ title, text, answers, width: 170 });
  }
}
