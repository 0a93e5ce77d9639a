// Splits a batch into runs that fit into memory. Pure.

import { at } from '../../core/at.ts';

/**
 * The largest number of pairs of tokens in a run, with padding: attention has four maps of this size per block, and their gradients. 32 rows of
 * 336 tokens take 0.6 GB and 1.2 s on one core. Four times as many pairs take 1.1 GB and no less time.
 */
export const MAX_PAIRS = 500_000;

/** The indices of the rows of each run, shortest rows first, because a run is padded to its longest row. A run has at least one row. */
export function runsOf(lengths: readonly number[], maxPairs: number): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let last: number[] | undefined;
  const sorted = lengths.map((_, index) => index).sort((a, b) => at(lengths, a) - at(lengths, b) || a - b);
  for (const index of sorted) {
    if (last === undefined || (last.length + 1) * at(lengths, index) ** 2 > maxPairs) {
      last = [];
      runs.push(last);
    }
    last.push(index);
  }
  return runs;
}
