// Differences between two worlds: records and files that were added, removed or changed.

import { type FileEntry, type Folder, joined, type TextFile } from '../../world.ts';

/** Deep equality. It runs for every part of the world after nearly every step, so it allocates little. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!deepEqual(a[index], b[index])) return false;
    return true;
  }
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  let unmatched = 0;
  for (const name in right) if (Object.hasOwn(right, name)) unmatched += 1;
  for (const name in left) {
    if (!Object.hasOwn(left, name)) continue;
    if (!Object.hasOwn(right, name) || !deepEqual(left[name], right[name])) return false;
    unmatched -= 1;
  }
  return unmatched === 0;
}

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
      const there = Object.hasOwn(now.entries, name) ? now.entries[name] : undefined;
      if (there === undefined || !sameOrigin(entry, there)) removed.push({ path, entry });
      else if (isText(entry)) {
        if (isText(there) && entry.text !== there.text)
          rewritten.push({ path, before: entry.text, after: there.text });
      } else if (!isText(there)) compare(entry, there, path);
    }
    for (const [name, entry] of Object.entries(now.entries)) {
      const there = Object.hasOwn(old.entries, name) ? old.entries[name] : undefined;
      if (there === undefined || !sameOrigin(there, entry)) added.push({ path: joined(at, name), entry });
    }
  };
  compare(before, after, '/');
  return { added, removed, rewritten };
}
