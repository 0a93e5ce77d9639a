// Permutation tests: exact where all arrangements can be counted, else over random ones from a fixed seed, so that a report is
// reproducible. Pure.

import { seeded } from '../../core/rng.ts';
import type { SuccessTally } from '../../data/interval.ts';

export interface PermutationResult {
  /** Two-sided. */
  readonly p: number;
  /** The smallest p that these numbers of values allow. */
  readonly smallest: number;
  readonly isExact: boolean;
}

/** Additions that an exact count may take: below a second. */
const MAX_EXACT_WORK = 4e7;
/** More arrangements of runs than these are sampled. */
export const MAX_ARRANGEMENTS = 200_000;
export const RANDOM_ARRANGEMENTS = 20_000;
/** Rounding must not exclude an arrangement with the same difference. */
const TOLERANCE = 1e-9;

/**
 * Paired: each task changes its sides with probability one half. Tests whether the mean difference of the rates over the tasks is zero.
 * Undefined without a task that both sides tried.
 */
export function signFlipTest(
  pairs: readonly (readonly [SuccessTally, SuccessTally])[],
): PermutationResult | undefined {
  const tried = pairs.filter(([one, two]) => one.trials > 0 && two.trials > 0);
  if (tried.length === 0) return undefined;
  const differences = tried
    .map(([one, two]) => one.successes / one.trials - two.successes / two.trials)
    .filter(each => each !== 0);
  const smallest = Math.min(1, 2 ** (1 - differences.length));
  const p = exactSignFlip(tried);
  return p === undefined
    ? { p: randomSignFlip(differences), smallest, isExact: false }
    : { p, smallest, isExact: true };
}

/** Undefined if there are too many sums to count. */
function exactSignFlip(tried: readonly (readonly [SuccessTally, SuccessTally])[]): number | undefined {
  // Whole numbers in units of one common denominator, so that equal sums are equal.
  let unit = 1;
  for (const [one, two] of tried) {
    unit = leastCommonMultiple(unit, one.trials * two.trials);
    // A larger one is rounded, so it is no common denominator.
    if (unit > Number.MAX_SAFE_INTEGER) return undefined;
  }
  const differences = tried.map(
    ([one, two]) =>
      (one.successes * two.trials - two.successes * one.trials) * (unit / (one.trials * two.trials)),
  );
  const moved = differences.map(Math.abs).filter(each => each > 0);
  const divisor = moved.reduce(greatestCommonDivisor, 0) || 1;
  const steps = moved.map(each => each / divisor);
  const reach = steps.reduce((sum, each) => sum + each, 0);
  if (steps.length * (2 * reach + 1) > MAX_EXACT_WORK) return undefined;
  const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
  return shareOfSums(steps, reach, observed / divisor);
}

/** Walks once over the steps and keeps the probability of each sum. */
function shareOfSums(steps: readonly number[], reach: number, observed: number): number {
  let chances = new Float64Array(2 * reach + 1);
  chances[reach] = 1;
  let width = 0;
  for (const step of steps) {
    const next = new Float64Array(2 * reach + 1);
    for (let sum = reach - width; sum <= reach + width; sum++) {
      const half = (chances[sum] ?? 0) / 2;
      if (half === 0) continue;
      next[sum - step] = (next[sum - step] ?? 0) + half;
      next[sum + step] = (next[sum + step] ?? 0) + half;
    }
    width += step;
    chances = next;
  }
  let p = 0;
  for (const [index, chance] of chances.entries()) if (Math.abs(index - reach) >= observed) p += chance;
  return Math.min(1, p);
}

function randomSignFlip(differences: readonly number[]): number {
  const random = seeded('sign flip');
  const limit = Math.abs(differences.reduce((sum, each) => sum + each, 0)) - TOLERANCE;
  const steps = differences.map(Math.abs);
  let extreme = 1;
  for (let draw = 0; draw < RANDOM_ARRANGEMENTS; draw++) {
    let sum = 0;
    for (const step of steps) sum += random.next() < 0.5 ? step : -step;
    if (Math.abs(sum) >= limit) extreme += 1;
  }
  return extreme / (RANDOM_ARRANGEMENTS + 1);
}

/** Unpaired: the values change their groups. Tests whether the means are equal. Undefined if one group is empty. */
export function labelPermutationTest(
  one: readonly number[],
  two: readonly number[],
): PermutationResult | undefined {
  if (one.length === 0 || two.length === 0) return undefined;
  const all = [...one, ...two];
  const total = all.reduce((sum, each) => sum + each, 0);
  const gap = (sum: number) => Math.abs(sum / one.length - (total - sum) / two.length);
  const limit = gap(one.reduce((sum, each) => sum + each, 0)) - TOLERANCE;
  const arrangements = binomial(all.length, one.length);
  // Of two groups of one size, each arrangement has a mirror image.
  const smallest = Math.min(1, (one.length === two.length ? 2 : 1) / arrangements);
  if (arrangements > MAX_ARRANGEMENTS)
    return { p: randomArrangements(all, one.length, sum => gap(sum) >= limit), smallest, isExact: false };
  let extreme = 0;
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      if (gap(sum) >= limit) extreme += 1;
      return;
    }
    for (let index = from; index <= all.length - left; index++)
      choose(index + 1, left - 1, sum + (all[index] ?? 0));
  };
  choose(0, one.length, 0);
  return { p: extreme / arrangements, smallest, isExact: true };
}

function randomArrangements(
  all: readonly number[],
  size: number,
  isExtreme: (sum: number) => boolean,
): number {
  const random = seeded('arrangements');
  const mixed = [...all];
  let extreme = 1;
  for (let draw = 0; draw < RANDOM_ARRANGEMENTS; draw++) {
    let sum = 0;
    for (let index = 0; index < size; index++) {
      const other = index + random.int(mixed.length - index);
      const [here = 0, there = 0] = [mixed[index], mixed[other]];
      mixed[index] = there;
      mixed[other] = here;
      sum += there;
    }
    if (isExtreme(sum)) extreme += 1;
  }
  return extreme / (RANDOM_ARRANGEMENTS + 1);
}

function binomial(n: number, k: number): number {
  let result = 1;
  for (let index = 1; index <= k; index++) result = (result * (n - k + index)) / index;
  return Math.round(result);
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);
const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b;
