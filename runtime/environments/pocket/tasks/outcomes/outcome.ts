// The parts of outcomes: differences between two worlds, and the things that an instruction may refer to. A reference must be
// unambiguous at the start of the episode, and short enough for one line.

import type { AppOpening } from '../../getters.ts';
import {
  entryAt,
  type FileEntry,
  type Folder,
  joined,
  type PocketWorld,
  parentOf,
  type TextFile,
} from '../../world.ts';

/** An episode as far as outcomes depend on it. */
export interface WorldChange {
  readonly start: PocketWorld;
  readonly end: PocketWorld;
  readonly openings: readonly AppOpening[];
}

export interface WorldOutcome {
  /** Such as 'mail-star'; usually the id of the template that asks for it. */
  readonly kind: string;
  /** Every instruction that asks for exactly this outcome. */
  readonly ways: readonly string[];
}

export const outcome = (kind: string, ways: readonly string[]): WorldOutcome => ({ kind, ways });

/** Declares a kind of outcome by its instructions. Templates draw theirs from it, and recognisers return it. */
export const defineOutcome =
  <Values extends readonly unknown[]>(kind: string, waysOf: (...values: Values) => readonly string[]) =>
  (...values: Values): WorldOutcome => ({ kind, ways: waysOf(...values) });

/** Ways that hold under a condition only. */
export const when = (holds: boolean, ways: readonly string[]): readonly string[] => (holds ? ways : []);

/** The first candidate that applies and that at least one instruction asks for. */
export const firstOf = (
  ...candidates: readonly (WorldOutcome | false | undefined)[]
): WorldOutcome | undefined =>
  candidates.find(each => each !== undefined && each !== false && each.ways.length > 0) || undefined;

const MAX_QUOTE_LENGTH = 60;

/** Whether an instruction can quote this text: one short line without outer whitespace. */
export const isQuotable = (text: string): boolean =>
  text !== '' && text.length <= MAX_QUOTE_LENGTH && text === text.trim() && !/["\p{Cc}]/u.test(text);

/** What the front window was opened with, if it belongs to this application. */
function frontWindow(
  { openings }: WorldChange,
  app: string,
): { readonly what: string | undefined } | undefined {
  if (openings.at(-1)?.app !== app) return undefined;
  return { what: openings.findLast(each => each.app === app && each.what !== undefined)?.what };
}

const isFile = (path: string, { root }: PocketWorld): boolean => entryAt(root, path)?.kind === 'file';

/** The folder that 'here' means: the one that Files shows at the start, if Files is in front. */
export function folderHere(episode: WorldChange): string | undefined {
  const window = frontWindow(episode, 'files');
  if (window?.what === undefined) return window && '/';
  return isFile(window.what, episode.start) ? parentOf(window.what) : window.what;
}

/** The file that is selected in Files at the start. */
export function selectedFile(episode: WorldChange): string | undefined {
  const what = frontWindow(episode, 'files')?.what;
  return what !== undefined && isFile(what, episode.start) ? what : undefined;
}

/** The note that 'this note' means. */
export const openNote = (episode: WorldChange): string | undefined => frontWindow(episode, 'notes')?.what;

export interface Changed<T> {
  readonly before: T;
  readonly after: T;
  readonly fields: readonly (keyof T)[];
}

export interface Changes<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly changed: readonly Changed<T>[];
}

export const fieldsChanged = <T extends object>(before: T, after: T): readonly (keyof T)[] =>
  (Object.keys(after) as (keyof T)[]).filter(field => !Object.is(before[field], after[field]));

/** Undefined where two records have the same key, since changes to them are ambiguous. */
export function changesOf<T extends object>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (record: T) => string | number,
): Changes<T> | undefined {
  const old = new Map(before.map(each => [keyOf(each), each]));
  const now = new Map(after.map(each => [keyOf(each), each]));
  if (old.size !== before.length || now.size !== after.length) return undefined;
  const changed = after.flatMap(record => {
    const previous = old.get(keyOf(record));
    const fields = previous === undefined ? [] : fieldsChanged(previous, record);
    return previous === undefined || fields.length === 0 ? [] : [{ before: previous, after: record, fields }];
  });
  return {
    added: after.filter(each => !old.has(keyOf(each))),
    removed: before.filter(each => !now.has(keyOf(each))),
    changed,
  };
}

/** The only item of a list, if it has exactly one. */
export const single = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);

export interface PlacedEntry {
  readonly path: string;
  readonly entry: FileEntry;
}

export interface RewrittenFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A folder that was added or removed as a whole counts as one entry. */
export interface FileChanges {
  readonly added: readonly PlacedEntry[];
  readonly removed: readonly PlacedEntry[];
  readonly rewritten: readonly RewrittenFile[];
}

const sameOrigin = (before: FileEntry, after: FileEntry): boolean =>
  before.kind === after.kind && before.trashedFrom === after.trashedFrom;

const isText = (entry: FileEntry): entry is TextFile => entry.kind === 'file';

export function fileChanges(before: Folder, after: Folder): FileChanges {
  const [added, removed, rewritten]: [PlacedEntry[], PlacedEntry[], RewrittenFile[]] = [[], [], []];
  const compare = (old: Folder, now: Folder, at: string): void => {
    for (const [name, entry] of Object.entries(old.entries)) {
      const path = joined(at, name);
      const twin = Object.hasOwn(now.entries, name) ? now.entries[name] : undefined;
      if (twin === undefined || !sameOrigin(entry, twin)) removed.push({ path, entry });
      else if (isText(entry)) {
        if (isText(twin) && entry.text !== twin.text)
          rewritten.push({ path, before: entry.text, after: twin.text });
      } else if (!isText(twin)) compare(entry, twin, path);
    }
    for (const [name, entry] of Object.entries(now.entries)) {
      const twin = Object.hasOwn(old.entries, name) ? old.entries[name] : undefined;
      if (twin === undefined || !sameOrigin(twin, entry)) added.push({ path: joined(at, name), entry });
    }
  };
  compare(before, after, '/');
  return { added, removed, rewritten };
}
