// Suggests the known name that is closest to a mistyped one. Pure.

import { distance } from 'fastest-levenshtein';

/** The closest name if at most a third of its characters differ. Case and punctuation do not count. */
export function closestName(written: string, names: readonly string[]): string | undefined {
  const plain = plainName(written);
  const candidates = names
    .map(name => ({ name, edits: distance(plain, plainName(name)) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(Math.max(name.length, written.length) / 3)))
    .sort((a, b) => a.edits - b.edits);
  return candidates[0]?.name;
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
