// Operations on the world's folder tree: list, search, name, copy, move, trash and restore. Paths are absolute.

import { entryAt, type FileEntry, type Folder, folderAt, joined, nameOf, parentOf } from '../../world.ts';

export const TRASH = '/Trash';
const MAX_NAME_LENGTH = 40;

export interface FileListing {
  readonly path: string;
  readonly name: string;
  readonly entry: FileEntry;
}

const byName = (a: FileListing, b: FileListing): number => {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** The folders or the files of a folder, by name. */
export function listed(root: Folder, path: string, kind: FileEntry['kind']): readonly FileListing[] {
  const found: FileListing[] = [];
  for (const [name, entry] of Object.entries(folderAt(root, path)?.entries ?? {})) {
    if (entry.kind === kind) found.push({ path: joined(path, name), name, entry });
  }
  return found.sort(byName);
}

/** The entries of a folder: folders first, then files, each by name. */
export const listing = (root: Folder, path: string): readonly FileListing[] => [
  ...listed(root, path, 'folder'),
  ...listed(root, path, 'file'),
];

/** The entries below a folder, at any depth, whose names contain a text. */
export function search(root: Folder, path: string, text: string): readonly FileListing[] {
  const wanted = text.toLowerCase();
  return listing(root, path).flatMap(each => [
    ...(each.name.toLowerCase().includes(wanted) ? [each] : []),
    ...(each.entry.kind === 'folder' ? search(root, each.path, text) : []),
  ]);
}

/** True of a folder itself and of everything below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** The name of a folder for users; the root has no name of its own. */
export const titleOf = (path: string): string => (path === '/' ? 'Home' : nameOf(path));

/** Why no entry can have a name; undefined for a valid name. */
export function nameSyntaxFault(name: string): string | undefined {
  if (name === '') return 'Please enter a name.';
  if (name.length > MAX_NAME_LENGTH) return `A name has at most ${MAX_NAME_LENGTH} characters.`;
  if (name.includes('/')) return "A name cannot contain '/'.";
  // An object cannot have an entry of this name.
  if (name === '__proto__') return `'${name}' is a reserved name.`;
  return undefined;
}

/** Why a new entry of a folder cannot have a name; undefined for a valid name. */
export function nameFault(root: Folder, folder: string, name: string): string | undefined {
  const isTaken = entryAt(root, joined(folder, name)) !== undefined;
  return nameSyntaxFault(name) ?? (isTaken ? `'${name}' already exists here.` : undefined);
}

/** A free name in a folder: 'plan.txt', then 'plan copy.txt', 'plan copy 2.txt' and so on. */
export function freeName(folder: Folder, name: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let count = 1; Object.hasOwn(folder.entries, free); count++) {
    const mark = count === 1 ? ' copy' : ` copy ${count}`;
    free = stem.slice(0, MAX_NAME_LENGTH - mark.length - ending.length) + mark + ending;
  }
  return free;
}

/** The folder at a path, created with its parents if necessary; undefined if a file is in the way. */
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

/** Why an entry cannot move into a folder; undefined if it can. */
export function placeFault(root: Folder, path: string, folder: string): string | undefined {
  if (entryAt(root, path) === undefined) return `'${nameOf(path)}' is no longer there.`;
  if (folderAt(root, folder) === undefined) return `The folder '${titleOf(folder)}' is no longer there.`;
  if (isWithin(folder, path)) return `'${nameOf(path)}' cannot go into itself.`;
  return undefined;
}

function detach(root: Folder, path: string): FileEntry | undefined {
  const entry = entryAt(root, path);
  if (entry !== undefined) delete folderAt(root, parentOf(path))?.entries[nameOf(path)];
  return entry;
}

/** Puts an entry at a path and replaces what is there. An entry in the trash remembers its old path. */
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
  const entry = detach(root, from);
  if (entry !== undefined) put(root, entry, to, before);
}

export function copyEntry(root: Folder, from: string, to: string): void {
  const entry = entryAt(root, from);
  if (entry !== undefined) put(root, structuredClone(entry), to, from);
}

export function erase(root: Folder, path: string): void {
  detach(root, path);
}

/** Moves an entry to the trash under a free name. */
export function moveToTrash(root: Folder, path: string): void {
  const trash = madeFolder(root, TRASH);
  if (trash !== undefined) moveEntry(root, path, joined(TRASH, freeName(trash, nameOf(path))));
}

/** Moves an entry from the trash to its old path, or to the root; returns the new path. */
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
