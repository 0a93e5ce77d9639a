// What can be done to folders and files, as functions over the world's folder tree: list, find, name, copy, move, throw
// away and bring back. Paths are absolute. Nothing is asked or shown here.

import { entryAt, type FileEntry, type Folder, folderAt, joined, nameOf, parentOf } from '../../world.ts';

export const TRASH = '/Trash';
export const LONGEST_NAME = 40;

export interface FileListing {
  readonly path: string;
  readonly name: string;
  readonly entry: FileEntry;
}

const byName = (a: FileListing, b: FileListing): number => {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** What of one kind is in a folder, by name. */
export function listed(root: Folder, path: string, kind: FileEntry['kind']): readonly FileListing[] {
  const found: FileListing[] = [];
  for (const [name, entry] of Object.entries(folderAt(root, path)?.entries ?? {})) {
    if (entry.kind === kind) found.push({ path: joined(path, name), name, entry });
  }
  return found.sort(byName);
}

/** What is in a folder: folders first, then files, each by name. */
export const listing = (root: Folder, path: string): readonly FileListing[] => [
  ...listed(root, path, 'folder'),
  ...listed(root, path, 'file'),
];

/** Whatever below a folder has the text in its name, at any depth. */
export function search(root: Folder, path: string, text: string): readonly FileListing[] {
  const wanted = text.toLowerCase();
  return listing(root, path).flatMap(each => [
    ...(each.name.toLowerCase().includes(wanted) ? [each] : []),
    ...(each.entry.kind === 'folder' ? search(root, each.path, text) : []),
  ]);
}

/** Whether a path is a folder or lies somewhere in it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** What a folder is called where people read it: the root has no name of its own. */
export const titleOf = (path: string): string => (path === '/' ? 'Home' : nameOf(path));

/** What is wrong with a name anywhere; undefined where nothing is. */
export function formFault(name: string): string | undefined {
  if (name === '') return 'Please enter a name.';
  if (name.length > LONGEST_NAME) return `A name has at most ${LONGEST_NAME} characters.`;
  if (name.includes('/')) return "A name cannot contain '/'.";
  return undefined;
}

/** What is wrong with a new name in a folder; undefined where nothing is. */
export function nameFault(root: Folder, folder: string, name: string): string | undefined {
  const isTaken = entryAt(root, joined(folder, name)) !== undefined;
  return formFault(name) ?? (isTaken ? `'${name}' already exists here.` : undefined);
}

/** A name that is not taken in a folder: 'plan.txt', then 'plan copy.txt', 'plan copy 2.txt' and so on. */
export function freeName(folder: Folder, name: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let count = 1; Object.hasOwn(folder.entries, free); count++) {
    const mark = count === 1 ? ' copy' : ` copy ${count}`;
    free = stem.slice(0, LONGEST_NAME - mark.length - ending.length) + mark + ending;
  }
  return free;
}

/** The folder at a path, made with those above it where it is missing. Undefined where a file is in the way. */
export function madeFolder(root: Folder, path: string): Folder | undefined {
  let folder = root;
  for (const name of path.split('/').filter(part => part !== '')) {
    const next = Object.hasOwn(folder.entries, name) ? folder.entries[name] : undefined;
    if (next?.kind === 'file') return undefined;
    const made: Folder = next ?? { kind: 'folder', entries: {} };
    folder.entries[name] = made;
    folder = made;
  }
  return folder;
}

/** Why an entry cannot be put into a folder; undefined where it can. */
export function placeFault(root: Folder, path: string, folder: string): string | undefined {
  if (entryAt(root, path) === undefined) return `'${nameOf(path)}' is no longer there.`;
  if (folderAt(root, folder) === undefined) return `The folder '${titleOf(folder)}' is no longer there.`;
  if (isWithin(folder, path)) return `'${nameOf(path)}' cannot go into itself.`;
  return undefined;
}

function taken(root: Folder, path: string): FileEntry | undefined {
  const entry = entryAt(root, path);
  if (entry !== undefined) delete folderAt(root, parentOf(path))?.entries[nameOf(path)];
  return entry;
}

/** Puts an entry at a path, in the place of whatever is there. What lies in the trash remembers where it was. */
function put(root: Folder, entry: FileEntry, path: string, from: string): void {
  const folder = madeFolder(root, parentOf(path));
  if (folder === undefined) return;
  if (parentOf(path) === TRASH) entry.trashedFrom = from;
  else delete entry.trashedFrom;
  folder.entries[nameOf(path)] = entry;
}

export function moveEntry(root: Folder, from: string, to: string): void {
  if (from === to) return;
  const before = entryAt(root, from)?.trashedFrom ?? from;
  const entry = taken(root, from);
  if (entry !== undefined) put(root, entry, to, before);
}

export function copyEntry(root: Folder, from: string, to: string): void {
  const entry = entryAt(root, from);
  if (entry !== undefined) put(root, structuredClone(entry), to, from);
}

export function erase(root: Folder, path: string): void {
  taken(root, path);
}

/** Moves an entry to the trash, under a name that is free there. */
export function throwAway(root: Folder, path: string): void {
  const trash = madeFolder(root, TRASH);
  if (trash !== undefined) moveEntry(root, path, joined(TRASH, freeName(trash, nameOf(path))));
}

/** Moves an entry out of the trash, to where it was if that is known; answers where it is now. */
export function restore(root: Folder, path: string): string | undefined {
  const origin = entryAt(root, path)?.trashedFrom ?? joined('/', nameOf(path));
  const folder = madeFolder(root, parentOf(origin));
  if (folder === undefined) return undefined;
  const to = joined(parentOf(origin), freeName(folder, nameOf(origin)));
  moveEntry(root, path, to);
  return to;
}

export function emptyTrash(root: Folder): void {
  const trash = folderAt(root, TRASH);
  if (trash !== undefined) trash.entries = {};
}
