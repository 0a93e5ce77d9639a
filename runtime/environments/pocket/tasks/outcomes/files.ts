// Outcomes with files and folders: created, renamed, moved, copied, deleted. notes.ts has new and rewritten text. Restoring a
// file from the trash belongs to a template that is never trained, so it has no outcome.

import { sameValue } from '../../../../tasks/metrics/same-value.ts';
import { freeName, isWithin, TRASH, titleOf } from '../../apps/files/entries.ts';
import { entryAt, type FileEntry, type Folder, folderAt, nameOf, parentOf } from '../../world.ts';
import { newNote, rewrittenNote } from './notes.ts';
import {
  defineOutcome,
  type FileChanges,
  fileChanges,
  firstOf,
  folderHere,
  isQuotable,
  outcome,
  type PlacedEntry,
  selectedFile,
  single,
  type WorldChange,
  type WorldOutcome,
  when,
} from './outcome.ts';

/** Files suggests this name for a new folder. */
const SUGGESTED_NAME = 'New folder';

/** How an instruction may refer to a folder: by name if the name is unique, as 'here' if Files shows it. */
interface FolderReference {
  readonly place?: string | undefined;
  readonly isHere?: boolean;
}

export const makeFolder = defineOutcome(
  'files-new-folder',
  (name: string, { place, isHere = false }: FolderReference) => [
    ...when(isHere, [`Make a new folder called "${name}" here.`]),
    ...when(place !== undefined, [
      `Create a folder named ${name} in ${place}.`,
      `I need a folder "${name}" in ${place}.`,
      `Add a folder with the name ${name} to ${place}.`,
    ]),
  ],
);

const makeFolderAsSuggested = defineOutcome(
  'files-new-folder-as-suggested',
  ({ place, isHere = false }: FolderReference) => [
    ...when(isHere, ['Make a new folder here, under the name that is suggested.']),
    ...when(place !== undefined, [
      `Make a new folder in ${place}, and leave its name as it is suggested.`,
      `${place} needs another folder. What it is called does not matter.`,
    ]),
  ],
);

type Extreme = 'largest' | 'smallest';

/** A file may be selected at the start, have a unique name, or be the largest or smallest of its folder. */
interface FileReference {
  readonly isSelected?: boolean;
  readonly name?: string | undefined;
  readonly size?: Extreme | undefined;
  readonly place?: string | undefined;
}

export const deleteFile = defineOutcome(
  'files-delete',
  ({ isSelected = false, name, size, place }: FileReference) => [
    ...when(isSelected, [
      'Delete the file that is selected.',
      'Put the selected file in the trash.',
      'I no longer need the selected file. Throw it away.',
    ]),
    ...when(name !== undefined, [`Delete "${name}".`]),
    ...when(size !== undefined && place !== undefined, [
      `Delete the ${size} file in ${place}.`,
      `Find out which file in ${place} is the ${size}, and throw it away.`,
      `The ${size} of the files in ${place} can go. Delete it.`,
    ]),
  ],
);

const deleteFolder = defineOutcome('files-delete-folder', (name: string) => [
  `Delete the folder "${name}".`,
  `Put the folder "${name}" in the trash.`,
]);

interface Move {
  readonly from: string | undefined;
  readonly to: string;
  readonly isNameClear: boolean;
}

export const moveFile = defineOutcome('files-move', (name: string, { from, to, isNameClear }: Move) => [
  ...when(isNameClear, [
    `Move "${name}" to ${to}.`,
    `"${name}" belongs in ${to}. Move it there.`,
    `Drag the file "${name}" into the folder ${to}.`,
  ]),
  ...when(from !== undefined, [`Put "${name}" into ${to} instead of ${from}.`]),
]);

const moveFolder = defineOutcome('files-move-folder', (name: string, to: string) => [
  `Move the folder "${name}" into ${to}.`,
  `The folder "${name}" belongs in ${to}.`,
]);

export const renameFile = defineOutcome('files-rename', (name: string, place: string, wanted: string) => [
  `Rename "${name}" in ${place} to "${wanted}".`,
  `In ${place}, give the file "${name}" the name "${wanted}".`,
  `"${name}" in ${place} should be called "${wanted}".`,
]);

const renameFolder = defineOutcome('files-rename-folder', (name: string, place: string, wanted: string) => [
  `Rename the folder "${name}" in ${place} to "${wanted}".`,
  `The folder "${name}" in ${place} should be called "${wanted}".`,
]);

export const copyFile = defineOutcome('files-copy', (name: string, from: string, to: string) => [
  `Copy "${name}" from ${from} to ${to}.`,
  `Put a copy of "${name}" into ${to}. The original stays in ${from}.`,
  `I want "${name}" in ${to} as well as in ${from}.`,
]);

const copyBeside = defineOutcome('files-copy-beside', (name: string, place: string) => [
  `Make a copy of "${name}" in ${place}, beside it.`,
  `Copy "${name}" and paste the copy into the same folder, ${place}.`,
]);

/** `count` is 0 if there are folders in the trash. */
export const emptyTrash = defineOutcome('files-empty-trash', (count: number) => [
  'Empty the trash.',
  'Delete everything in the trash for good.',
  'Clear out the trash, nothing in it is needed any more.',
  ...when(count > 1, [`There are ${count} files in the trash. Get rid of them forever.`]),
]);

const eraseEntry = defineOutcome('files-erase', (name: string) => [
  `Delete "${name}" in the trash for good.`,
  `Remove "${name}" from the trash forever, and leave the rest in it.`,
]);

/** The paths of all entries of a kind outside the trash. */
function pathsOf(root: Folder, kind: FileEntry['kind'], at = ''): readonly string[] {
  return Object.entries(root.entries).flatMap(([name, entry]) => {
    const path = `${at}/${name}`;
    if (path === TRASH) return [];
    const within = entry.kind === 'folder' ? pathsOf(entry, kind, path) : [];
    return entry.kind === kind ? [path, ...within] : within;
  });
}

const isUniqueName = (path: string, kind: FileEntry['kind'], { start }: WorldChange): boolean =>
  pathsOf(start.root, kind).filter(each => nameOf(each) === nameOf(path)).length === 1;

/** What an instruction calls a folder; undefined where its name is ambiguous. */
const placeName = (path: string, episode: WorldChange): string | undefined =>
  !isWithin(path, TRASH) && (path === '/' || isUniqueName(path, 'folder', episode))
    ? titleOf(path)
    : undefined;

/** Whether the name identifies a file or folder: it is unique, or in the folder that Files shows. */
const isNameClear = ({ path, entry }: PlacedEntry, episode: WorldChange): boolean =>
  folderHere(episode) === parentOf(path) || isUniqueName(path, entry.kind, episode);

const isSameEntry = (
  { trashedFrom: _, ...before }: FileEntry,
  { trashedFrom: __, ...after }: FileEntry,
): boolean => sameValue(before, after);

function newFolder({ path, entry }: PlacedEntry, episode: WorldChange): WorldOutcome | undefined {
  if (!sameValue(entry, { kind: 'folder', entries: {} })) return undefined;
  const [name, parent] = [nameOf(path), parentOf(path)];
  const where = { isHere: folderHere(episode) === parent, place: placeName(parent, episode) };
  if (name === SUGGESTED_NAME) return makeFolderAsSuggested(where);
  return isQuotable(name) ? makeFolder(name, where) : undefined;
}

/** Whether a file is larger, or smaller, than all others of its folder. */
function extremeOf(path: string, { start }: WorldChange): Extreme | undefined {
  const files = Object.entries(folderAt(start.root, parentOf(path))?.entries ?? {}).flatMap(
    ([name, entry]) => (entry.kind === 'file' ? [{ name, size: entry.text.length }] : []),
  );
  const size = files.find(({ name }) => name === nameOf(path))?.size;
  const others = files.filter(({ name }) => name !== nameOf(path));
  if (size === undefined || others.length === 0) return undefined;
  if (others.every(other => other.size < size)) return 'largest';
  return others.every(other => other.size > size) ? 'smallest' : undefined;
}

/** An entry was moved to the trash, to another folder, or to another name. */
function shifted(from: PlacedEntry, to: PlacedEntry, episode: WorldChange): WorldOutcome | undefined {
  if (!isSameEntry(from.entry, to.entry)) return undefined;
  const [name, wanted] = [nameOf(from.path), nameOf(to.path)];
  const [source, target] = [parentOf(from.path), parentOf(to.path)];
  const [place, targetName] = [placeName(source, episode), placeName(target, episode)];
  const isFile = from.entry.kind === 'file';
  const isClear = isNameClear(from, episode);
  if (to.entry.trashedFrom === from.path && target === TRASH) {
    if (!isFile) return isClear ? deleteFolder(name) : undefined;
    const isSelected = selectedFile(episode) === from.path;
    const size = extremeOf(from.path, episode);
    return deleteFile({ isSelected, name: isClear ? name : undefined, size, place });
  }
  if (name === wanted) {
    if (isWithin(from.path, TRASH) || targetName === undefined) return undefined;
    if (isFile) return moveFile(name, { from: place, to: targetName, isNameClear: isClear });
    return isClear ? moveFolder(name, targetName) : undefined;
  }
  if (source !== target || place === undefined || !isQuotable(wanted)) return undefined;
  return isFile ? renameFile(name, place, wanted) : renameFolder(name, place, wanted);
}

function copied({ path, entry }: PlacedEntry, episode: WorldChange): WorldOutcome | undefined {
  const [name, folder] = [nameOf(path), parentOf(path)];
  const { root } = episode.start;
  const place = placeName(folder, episode);
  if (entry.kind !== 'file' || place === undefined) return undefined;
  const twins = pathsOf(root, 'file').filter(each => {
    const twin = entryAt(root, each);
    return twin !== undefined && isSameEntry(twin, entry);
  });
  const ways = twins
    .filter(twin => nameOf(twin) === name)
    .map(twin => placeName(parentOf(twin), episode))
    .flatMap(from => (from === undefined ? [] : copyFile(name, from, place).ways));
  const parent = folderAt(root, folder);
  const original =
    parent && twins.find(twin => parentOf(twin) === folder && freeName(parent, nameOf(twin)) === name);
  return firstOf(outcome('files-copy', ways), original !== undefined && copyBeside(nameOf(original), place));
}

/** The trash was emptied, or one of several entries in it was deleted for good. */
function erased(removed: readonly PlacedEntry[], { end }: WorldChange): WorldOutcome | undefined {
  if (!removed.every(({ path }) => parentOf(path) === TRASH)) return undefined;
  if (Object.keys(folderAt(end.root, TRASH)?.entries ?? {}).length === 0) {
    const areFiles = removed.every(({ entry }) => entry.kind === 'file');
    return emptyTrash(areFiles ? removed.length : 0);
  }
  const one = single(removed);
  return one && eraseEntry(nameOf(one.path));
}

function changedFiles(changes: FileChanges, episode: WorldChange): WorldOutcome | undefined {
  const { added, removed } = changes;
  const [to, from] = [single(added), single(removed)];
  if (to !== undefined && from !== undefined) return shifted(from, to, episode);
  if (added.length === 0) return removed.length > 0 ? erased(removed, episode) : undefined;
  if (to === undefined || removed.length > 0) return undefined;
  return firstOf(newFolder(to, episode), copied(to, episode), newNote(to));
}

export function filesOutcome(episode: WorldChange): WorldOutcome | undefined {
  const changes = fileChanges(episode.start.root, episode.end.root);
  const { added, removed, rewritten } = changes;
  if (rewritten.length === 0) return changedFiles(changes, episode);
  const note = single(rewritten);
  return note && added.length + removed.length === 0 ? rewrittenNote(note, episode) : undefined;
}
