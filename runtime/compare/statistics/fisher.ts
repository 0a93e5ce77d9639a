// Fisher's exact test of two success rates. Pure.

import type { SuccessTally } from '../../data/interval.ts';

/** Rounding must not exclude a table that is as likely as the observed one. */
const TOLERANCE = 1e-7;

/**
 * The two-sided p-value: the probability, if both rates are equal, of a table that is at most as likely as this one. All tables with the
 * same sums of rows and columns count. 1 if one side has no trials.
 */
export function fisherExact(one: SuccessTally, two: SuccessTally): number {
  const successes = one.successes + two.successes;
  const lowest = Math.max(0, successes - two.trials);
  const highest = Math.min(one.trials, successes);
  const logs = logFactorials(one.trials + two.trials);
  const choose = (n: number, k: number) => (logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0);
  const all = choose(one.trials + two.trials, successes);
  const logChance = (first: number) =>
    choose(one.trials, first) + choose(two.trials, successes - first) - all;
  const limit = logChance(one.successes) + TOLERANCE;
  let p = 0;
  for (let first = lowest; first <= highest; first++) {
    const chance = logChance(first);
    if (chance <= limit) p += Math.exp(chance);
  }
  return Math.min(1, p);
}

/** The logarithms of 0! to n!. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let index = 1; index <= n; index++) logs[index] = (logs[index - 1] ?? 0) + Math.log(index);
  return logs;
}
