// The navigation state of Files: current folder, open tree nodes, selection and search. It changes no file.

import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { entryAt, type Folder, folderAt, parentOf } from '../../world.ts';
import { type FileListing, isWithin, listing, search, TRASH, titleOf } from './entries.ts';

/** A row of the list. `shown` is the name, or in a search the path below the current folder. */
export interface ListedEntry extends FileListing {
  readonly shown: string;
}

export class Browser {
  readonly root: Folder;
  #folder = '/';
  /** The paths of the open tree nodes. */
  readonly #open = new Set<string>();
  #chosen: string | undefined;
  /** The search text; undefined while no search is open. */
  #query: Editing | undefined;
  readonly treeScroll = { offset: 0 };
  readonly listScroll = { offset: 0 };

  constructor(root: Folder) {
    this.root = root;
  }

  /** The current folder, or its nearest parent that still exists. */
  get folder(): string {
    let path = this.#folder;
    while (folderAt(this.root, path) === undefined) path = parentOf(path);
    return path;
  }

  get title(): string {
    return titleOf(this.folder);
  }

  /** The path of the selected entry. */
  get chosen(): string | undefined {
    return this.#chosen !== undefined && entryAt(this.root, this.#chosen) ? this.#chosen : undefined;
  }

  get query(): Editing | undefined {
    return this.#query;
  }

  /** True while the list shows search results. */
  get isSearching(): boolean {
    return this.#query !== undefined && this.#query.text !== '';
  }

  get rows(): readonly ListedEntry[] {
    const { folder } = this;
    const text = this.#query?.text ?? '';
    if (text === '') return listing(this.root, folder).map(each => ({ ...each, shown: each.name }));
    const above = folder === '/' ? 1 : folder.length + 1;
    return search(this.root, folder, text).map(each => ({ ...each, shown: each.path.slice(above) }));
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
    this.#query = undefined;
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
    this.#query = query;
    this.#chosen = undefined;
    this.listScroll.offset = 0;
  }

  openSearch(): void {
    this.search(this.#query ?? editing(''));
  }
}
