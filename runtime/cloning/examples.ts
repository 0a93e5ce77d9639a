// Groups examples into batches of similar length, so that little of a batch is padding.

import type { Demonstration } from './demonstrations.ts';

/** Examples that are sorted by length at once. More of them pad less, and make neighbours more alike. */
const POOL_EXAMPLES = 192;
/** A batch has at most this many tokens with its padding, and at least one example. */
const MAX_BATCH_TOKENS = 3072;

/** Endless batches, in random order within a pool. */
export function* batchesOf(
  next: () => readonly Demonstration[],
  shuffle: <X>(all: readonly X[]) => readonly X[],
): Generator<readonly Demonstration[], never> {
  let left: readonly Demonstration[] = [];
  for (;;) {
    const pool = [...left];
    while (pool.length < POOL_EXAMPLES) pool.push(...next());
    const batches = byLength(pool, MAX_BATCH_TOKENS);
    // The longest are too few for a batch: they wait for the next pool.
    left = batches.length > 1 ? (batches.pop() ?? []) : [];
    yield* shuffle(batches);
  }
}

/** Shortest first. `tokens`: the most in a batch. */
export function byLength(pool: readonly Demonstration[], tokens: number): (readonly Demonstration[])[] {
  const batches: Demonstration[][] = [];
  let last: Demonstration[] | undefined;
  for (const example of pool.toSorted((a, b) => a.row.entries.length - b.row.entries.length)) {
    if (last === undefined || (last.length + 1) * example.row.entries.length > tokens) {
      last = [];
      batches.push(last);
    }
    last.push(example);
  }
  return batches;
}
