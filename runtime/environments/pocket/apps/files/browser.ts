// Where somebody is in the tree of folders, and what is chosen there: what the Files window shows. It changes no file.

import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { entryAt, type Folder, folderAt, parentOf } from '../../world.ts';
import { type FileListing, isWithin, listing, search, TRASH, titleOf } from './entries.ts';

/** One row of the list: in a search, `shown` says where below the folder it is. */
export interface ListedEntry extends FileListing {
  readonly shown: string;
}

export class Browser {
  readonly root: Folder;
  #folder = '/';
  /** The paths of the folders that show what is in them. */
  readonly #open = new Set<string>();
  #chosen: string | undefined;
  /** What is looked for below the folder; undefined while all that is in it is shown. */
  #wanted: Editing | undefined;
  /** How far the tree and the list are scrolled. */
  treeOffset = 0;
  listOffset = 0;

  constructor(root: Folder) {
    this.root = root;
  }

  /** The folder shown: what is left of the path to it, since others may have taken it away. */
  get folder(): string {
    let path = this.#folder;
    while (folderAt(this.root, path) === undefined) path = parentOf(path);
    return path;
  }

  get title(): string {
    return titleOf(this.folder);
  }

  /** The path of the entry chosen in the list. */
  get chosen(): string | undefined {
    return this.#chosen !== undefined && entryAt(this.root, this.#chosen) ? this.#chosen : undefined;
  }

  get wanted(): Editing | undefined {
    return this.#wanted;
  }

  /** Whether the list has what was found, wherever it lies, and not what is in the folder. */
  get isSearching(): boolean {
    return this.#text !== '';
  }

  get #text(): string {
    return this.#wanted?.text ?? '';
  }

  get rows(): readonly ListedEntry[] {
    const { folder } = this;
    const text = this.#text;
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
    this.#wanted = undefined;
    this.listOffset = 0;
    for (let above = parentOf(path); above !== '/'; above = parentOf(above)) this.#open.add(above);
  }

  /** One folder up, with the one that was left chosen. */
  up(): void {
    const { folder } = this;
    if (folder === '/') return;
    this.go(parentOf(folder));
    this.#chosen = folder;
  }

  choose(path: string | undefined): void {
    this.#chosen = path;
  }

  /** The folder or entry at a path has moved: what was shown stays shown. */
  follow(from: string, to: string): void {
    const moved = (path: string): string => (isWithin(path, from) ? to + path.slice(from.length) : path);
    this.#folder = moved(this.#folder);
    if (this.#chosen !== undefined) this.#chosen = moved(this.#chosen);
    const open = [...this.#open];
    this.#open.clear();
    for (const path of open) this.#open.add(moved(path));
  }

  look(wanted: Editing | undefined): void {
    this.#wanted = wanted;
    this.#chosen = undefined;
    this.listOffset = 0;
  }

  lookAnew(): void {
    this.look(this.#wanted ?? editing(''));
  }
}
