// What tasks about files and notes share: how a file comes into a task's world, what it is called, and what may change.

import { madeFolder } from '../apps/files/entries.ts';
import { type FileEntry, type Folder, joined, nameOf, parentOf, type TextFile } from '../world.ts';
import type { Draw } from './draw.ts';
import { type EndCondition, fileIs, noFile, onlyChanged } from './template.ts';

export const TOP_FOLDERS = ['Documents', 'Downloads', 'Notes', 'Pictures'] as const;

/** Three different folders of those that stand at the top. */
export function topFolders(draw: Draw): readonly [string, string, string] {
  const [first = 'Documents', second = 'Downloads', third = 'Notes'] = draw.some(TOP_FOLDERS, 3);
  return [`/${first}`, `/${second}`, `/${third}`];
}

export const file = (text: string, trashedFrom?: string): TextFile => ({
  kind: 'file',
  text,
  ...(trashedFrom !== undefined && { trashedFrom }),
});

export const folder = (entries: Readonly<Record<string, FileEntry>> = {}): Folder => ({
  kind: 'folder',
  entries: { ...entries },
});

/** Puts an entry into a world, with the folders above it. */
export function put(root: Folder, path: string, entry: FileEntry): void {
  const parent = madeFolder(root, parentOf(path));
  if (parent === undefined) throw new RangeError(`A file is where '${path}' needs a folder.`);
  parent.entries[nameOf(path)] = entry;
}

/**
 * A name for a file that can be read whole in a list. A world has words for 11 files of the 14 there are: whatever a task
 * names before it draws its world, up to three, nothing else there is called.
 */
export function fileName(draw: Draw, ending = 'txt'): string {
  const thing = draw.fresh(draw.words.thing);
  return draw.chance(0.5) ? `${thing}.${ending}` : `${thing} ${draw.whole(2, 40)}.${ending}`;
}

/** The name of a file that is easily taken for another. */
export function similarName(draw: Draw, name: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot).replace(/ \d+$/, '')} ${draw.whole(41, 99)}${name.slice(dot)}`;
}

export const sentence = (draw: Draw): string => `${draw.one(draw.words.sentence)}.`;

/** A list as people note it down, one thing a line; without a line break at its end. */
export const listOf = (draw: Draw, count = draw.whole(2, 4)): string =>
  draw.some(draw.words.thing, count).join('\n');

/** A file's or folder's path as `onlyChanged` and `stateIs` say it. */
export const inWorld = (path: string): string =>
  `root${path
    .split('/')
    .slice(1)
    .map(name => `.entries.${name}`)
    .join('')}`;

/** Nothing in the world is changed but these files, and folders that were made or went as a whole. */
export const onlyFiles = (...paths: readonly string[]): EndCondition =>
  onlyChanged(...paths.flatMap(path => [inWorld(path), `${inWorld(path)}.text`]));

/** A file is in the trash now, where it can be brought back, and nothing else was touched. */
export function thrownAway(path: string, text: string): readonly EndCondition[] {
  const trashed = joined('/Trash', nameOf(path));
  return [noFile(path), fileIs(trashed, text), onlyFiles(path, trashed)];
}
