// Deeds with files and folders: made, named, moved, copied, thrown away. What was written in a file is in
// notes.ts. To bring something back from the trash is a task that is never trained: it has no name here.

import { freeName, isWithin, TRASH, titleOf } from '../../apps/files/entries.ts';
import { type FileEntry, type Folder, folderAt, nameOf, parentOf } from '../../world.ts';
import {
  toCopyFile,
  toDeleteBySize,
  toDeleteFile,
  toDeleteSelected,
  toEmptyTrash,
  toEmptyTrashOf,
  toMakeFolder,
  toMakeFolderHere,
  toMoveFile,
  toMoveFileFrom,
  toRenameFile,
} from '../phrases.ts';
import { alike, type FileChanges, fileChanges, only, type Placed } from './difference.ts';
import { noteDeed, noteMade } from './notes.ts';
import {
  fileSelected,
  firstOutcome,
  folderHere,
  isPlain,
  type Recogniser,
  said,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

/** The paths of all entries of a kind that are not in the trash. */
function pathsOf(root: Folder, kind: FileEntry['kind'], at = ''): readonly string[] {
  return Object.entries(root.entries).flatMap(([name, entry]) => {
    const path = `${at}/${name}`;
    if (path === TRASH) return [];
    const within = entry.kind === 'folder' ? pathsOf(entry, kind, path) : [];
    return entry.kind === kind ? [path, ...within] : within;
  });
}

/** What a folder is called; undefined where the name alone would not tell which one is meant. */
function placeName(path: string, { start }: WorldChange): string | undefined {
  if (isWithin(path, TRASH)) return undefined;
  const namesakes = pathsOf(start.root, 'folder').filter(each => nameOf(each) === nameOf(path));
  return path === '/' || namesakes.length === 1 ? titleOf(path) : undefined;
}

/** Whether a file's or folder's name tells it from all others; in the folder that is shown it does. */
const isNameClear = ({ path, entry }: Placed, told: WorldChange): boolean =>
  folderHere(told) === parentOf(path) ||
  pathsOf(told.start.root, entry.kind).filter(each => nameOf(each) === nameOf(path)).length === 1;

const isSame = (
  { trashedFrom: _, ...before }: FileEntry,
  { trashedFrom: __, ...after }: FileEntry,
): boolean => alike(before, after);

/** What was in one place and is in another, and is the same. */
function shifted({ came, gone }: FileChanges): { from: Placed; to: Placed } | undefined {
  const [from, to] = [only(gone), only(came)];
  return from !== undefined && to !== undefined && isSame(from.entry, to.entry) ? { from, to } : undefined;
}

/** The name that Files suggests for a new folder. */
const SUGGESTED_NAME = 'New folder';

const folderMade: Recogniser<FileChanges> = ({ came, gone }, told) => {
  const made = only(came);
  if (made === undefined || gone.length > 0 || !alike(made.entry, { kind: 'folder', entries: {} }))
    return undefined;
  const [name, parent] = [nameOf(made.path), parentOf(made.path)];
  const [isHere, place] = [folderHere(told) === parent, placeName(parent, told)];
  if (name === SUGGESTED_NAME) {
    return said(
      'files-new-folder-as-suggested',
      ...(isHere ? ['Make a new folder here, under the name that is suggested.'] : []),
      ...(place === undefined
        ? []
        : [
            `Make a new folder in ${place}, and leave its name as it is suggested.`,
            `${place} needs another folder. What it is called does not matter.`,
          ]),
    );
  }
  if (!isPlain(name)) return undefined;
  return said(
    'files-new-folder',
    ...(isHere ? toMakeFolderHere(name) : []),
    ...(place === undefined ? [] : toMakeFolder(name, place)),
  );
};

/** How its size tells a file from the others of its folder; undefined where it does not. */
function extreme(path: string, { start }: WorldChange): 'largest' | 'smallest' | undefined {
  const entries = Object.entries(folderAt(start.root, parentOf(path))?.entries ?? {});
  const sizes = new Map(
    entries.flatMap(([name, entry]) => (entry.kind === 'file' ? [[name, entry.text.length]] : [])),
  );
  const size = sizes.get(nameOf(path)) ?? 0;
  sizes.delete(nameOf(path));
  const others = [...sizes.values()];
  if (others.length === 0) return undefined;
  if (others.every(other => other < size)) return 'largest';
  return others.every(other => other > size) ? 'smallest' : undefined;
}

const thrownAway: Recogniser<FileChanges> = (changes, told) => {
  const { from, to } = shifted(changes) ?? {};
  if (from === undefined || to?.entry.trashedFrom !== from.path || parentOf(to.path) !== TRASH)
    return undefined;
  const [name, place] = [nameOf(from.path), placeName(parentOf(from.path), told)];
  if (from.entry.kind === 'folder') {
    if (!isNameClear(from, told)) return undefined;
    return said(
      'files-delete-folder',
      `Delete the folder "${name}".`,
      `Put the folder "${name}" in the trash.`,
    );
  }
  const size = extreme(from.path, told);
  return said(
    'files-delete',
    ...(fileSelected(told) === from.path ? toDeleteSelected() : []),
    ...(isNameClear(from, told) ? toDeleteFile(name) : []),
    ...(size === undefined || place === undefined ? [] : toDeleteBySize(size, place)),
  );
};

const moved: Recogniser<FileChanges> = (changes, told) => {
  const { from, to } = shifted(changes) ?? {};
  if (from === undefined || to === undefined || nameOf(from.path) !== nameOf(to.path)) return undefined;
  const name = nameOf(from.path);
  const [source, target] = [parentOf(from.path), parentOf(to.path)].map(path => placeName(path, told));
  if (isWithin(from.path, TRASH) || target === undefined) return undefined;
  const isClear = isNameClear(from, told);
  if (from.entry.kind === 'folder') {
    if (!isClear) return undefined;
    return said(
      'files-move-folder',
      `Move the folder "${name}" into ${target}.`,
      `The folder "${name}" belongs in ${target}.`,
    );
  }
  return said(
    'files-move',
    ...(isClear ? toMoveFile(name, target) : []),
    ...(source === undefined ? [] : toMoveFileFrom(name, source, target)),
  );
};

const renamed: Recogniser<FileChanges> = (changes, told) => {
  const { from, to } = shifted(changes) ?? {};
  if (from === undefined || to === undefined || parentOf(from.path) !== parentOf(to.path)) return undefined;
  const [name, wanted, place] = [nameOf(from.path), nameOf(to.path), placeName(parentOf(from.path), told)];
  if (!isPlain(wanted) || place === undefined) return undefined;
  if (from.entry.kind === 'file') return said('files-rename', ...toRenameFile(name, place, wanted));
  return said(
    'files-rename-folder',
    `Rename the folder "${name}" in ${place} to "${wanted}".`,
    `The folder "${name}" in ${place} should be called "${wanted}".`,
  );
};

const copied: Recogniser<FileChanges> = ({ came, gone }, told) => {
  const made = only(came);
  if (made?.entry.kind !== 'file' || gone.length > 0) return undefined;
  const { path, entry } = made;
  const [name, folder, place] = [nameOf(path), parentOf(path), placeName(parentOf(path), told)];
  if (place === undefined) return undefined;
  const twins = pathsOf(told.start.root, 'file').filter(each => {
    const twin = folderAt(told.start.root, parentOf(each))?.entries[nameOf(each)];
    return twin !== undefined && isSame(twin, entry);
  });
  const ways = twins
    .filter(twin => nameOf(twin) === name)
    .map(twin => placeName(parentOf(twin), told))
    .flatMap(from => (from === undefined ? [] : toCopyFile(name, from, place)));
  if (ways.length > 0) return said('files-copy', ...ways);
  const there = folderAt(told.start.root, folder);
  const original = twins.find(
    twin => parentOf(twin) === folder && there !== undefined && freeName(there, nameOf(twin)) === name,
  );
  if (original === undefined) return undefined;
  return said(
    'files-copy-beside',
    `Make a copy of "${nameOf(original)}" in ${place}, beside it.`,
    `Copy "${nameOf(original)}" and paste the copy into the same folder, ${place}.`,
  );
};

/** The trash was emptied, or one of several things in it is gone for good. */
const emptied: Recogniser<FileChanges> = ({ came, gone }, { start, end }) => {
  const isGone = gone.every(({ path }) => parentOf(path) === TRASH);
  if (came.length > 0 || gone.length === 0 || !isGone) return undefined;
  if (Object.keys(folderAt(end.root, TRASH)?.entries ?? {}).length === 0) {
    const isFiles = gone.length > 1 && gone.every(({ entry }) => entry.kind === 'file');
    return said('files-empty-trash', ...toEmptyTrash(), ...(isFiles ? toEmptyTrashOf(gone.length) : []));
  }
  const [{ path } = { path: '' }, ...more] = gone;
  if (more.length > 0 || folderAt(start.root, TRASH) === undefined) return undefined;
  return said(
    'files-erase',
    `Delete "${nameOf(path)}" in the trash for good.`,
    `Remove "${nameOf(path)}" from the trash forever, and leave the rest in it.`,
  );
};

const NAMERS = [folderMade, thrownAway, moved, renamed, copied, noteMade, emptied] as const;

export function filesDeed(told: WorldChange): WorldOutcome | undefined {
  const changes = fileChanges(told.start.root, told.end.root);
  const { came, gone, rewritten } = changes;
  if (rewritten.length === 0) return firstOutcome(NAMERS, changes, told);
  const note = only(rewritten);
  return note === undefined || came.length + gone.length > 0 ? undefined : noteDeed(note, told);
}
