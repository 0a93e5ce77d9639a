// What differs between two states of the same things: which records came, went or were changed, and which
// files. Plain comparison; what a difference means is said elsewhere.

import { type FileEntry, type Folder, joined, type TextFile } from '../../world.ts';

/**
 * Whether two values say the same. Called for every part of the world after nearly every step, so it builds
 * nothing.
 */
export function alike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!alike(a[index], b[index])) return false;
    return true;
  }
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  let more = 0;
  for (const name in right) if (Object.hasOwn(right, name)) more += 1;
  for (const name in left) {
    if (!Object.hasOwn(left, name)) continue;
    if (!Object.hasOwn(right, name) || !alike(left[name], right[name])) return false;
    more -= 1;
  }
  return more === 0;
}

export interface Changed<T> {
  readonly before: T;
  readonly after: T;
  readonly fields: readonly (keyof T)[];
}

export interface Changes<T> {
  readonly came: readonly T[];
  readonly gone: readonly T[];
  readonly changed: readonly Changed<T>[];
}

export const fieldsChanged = <T extends object>(before: T, after: T): readonly (keyof T)[] =>
  (Object.keys(after) as (keyof T)[]).filter(field => !Object.is(before[field], after[field]));

/** Undefined where two records have one key: nobody could tell which of them was meant. */
export function changesOf<T extends object>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (record: T) => string | number,
): Changes<T> | undefined {
  const old = new Map(before.map(each => [keyOf(each), each]));
  const now = new Map(after.map(each => [keyOf(each), each]));
  if (old.size !== before.length || now.size !== after.length) return undefined;
  const changed: Changed<T>[] = [];
  for (const each of after) {
    const known = old.get(keyOf(each));
    const fields = known === undefined ? [] : fieldsChanged(known, each);
    if (known !== undefined && fields.length > 0) changed.push({ before: known, after: each, fields });
  }
  return {
    came: after.filter(each => !old.has(keyOf(each))),
    gone: before.filter(each => !now.has(keyOf(each))),
    changed,
  };
}

/** The only one of a list; undefined where there is none, or another. */
export const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);

export interface Placed {
  readonly path: string;
  readonly entry: FileEntry;
}

/** Where a whole folder came or went, what is in it is not told of. */
export interface FileChanges {
  readonly came: readonly Placed[];
  readonly gone: readonly Placed[];
  readonly rewritten: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}

const sameOrigin = (before: FileEntry, after: FileEntry): boolean =>
  before.kind === after.kind && before.trashedFrom === after.trashedFrom;

const isText = (entry: FileEntry): entry is TextFile => entry.kind === 'file';

export function fileChanges(before: Folder, after: Folder): FileChanges {
  const [came, gone, rewritten]: [Placed[], Placed[], FileChanges['rewritten'][number][]] = [[], [], []];
  const compare = (old: Folder, now: Folder, at: string): void => {
    for (const [name, entry] of Object.entries(old.entries)) {
      const path = joined(at, name);
      const there = Object.hasOwn(now.entries, name) ? now.entries[name] : undefined;
      if (there === undefined || !sameOrigin(entry, there)) gone.push({ path, entry });
      else if (isText(entry)) {
        if (isText(there) && entry.text !== there.text)
          rewritten.push({ path, before: entry.text, after: there.text });
      } else if (!isText(there)) compare(entry, there, path);
    }
    for (const [name, entry] of Object.entries(now.entries)) {
      const there = Object.hasOwn(old.entries, name) ? old.entries[name] : undefined;
      if (there === undefined || !sameOrigin(there, entry)) came.push({ path: joined(at, name), entry });
    }
  };
  compare(before, after, '/');
  return { came, gone, rewritten };
}
