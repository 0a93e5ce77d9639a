// DART's rules for one task, from its recent results: revisits, rollout number and length cap. Pure.

/** Number of recent results per task. */
export const RESULT_WINDOW = 16;

/** The share of successes; undefined without results. */
export const successRate = (results: readonly boolean[]): number | undefined =>
  results.length === 0 ? undefined : successes(results) / results.length;

export const successes = (results: readonly boolean[]): number => results.filter(Boolean).length;

/** Appends a result and keeps the last `window` ones. */
export const appendResult = <T>(results: readonly T[], last: T, window = RESULT_WINDOW): readonly T[] =>
  [...results, last].slice(-window);

// Revisits: a task whose results do not change, solved or not, is visited less often but never dropped.

/** An unchanging task keeps one visit in this number. */
export const SELDOM = 4;

/** Whether the window is full of equal results. */
export function isUnchanging(results: readonly boolean[]): boolean {
  const last = results.slice(-RESULT_WINDOW);
  return last.length === RESULT_WINDOW && last.every(result => result === last[0]);
}

/**
 * `visit` is the index of the visit, from 0. A task that fails `failures` times in a row keeps all its visits up to `patience` failures: a
 * success that takes luck would otherwise take four times as long.
 */
export const isWorthVisiting = (
  results: readonly boolean[],
  visit: number,
  failures: number,
  patience: number,
): boolean =>
  !isUnchanging(results) || visit % SELDOM === 0 || (results.at(-1) === false && failures < patience);

// Dynamic rollout number: the higher the success rate of a task, the fewer rollouts its groups have.

/** Up to this success rate a group has the full number of rollouts. */
const FULL_NUMBER_RATE = 0.6;

/** A smaller group has no differences to learn from. */
const MIN_ROLLOUTS = 2;

/** N up to a success rate of 0.6; above, max(2, floor(9 / rate − 7)), and never more than N. */
export function rolloutNumber(successRate: number, maximum: number): number {
  if (!(successRate > FULL_NUMBER_RATE)) return maximum;
  return Math.min(maximum, Math.max(MIN_ROLLOUTS, Math.floor(9 / successRate - 7)));
}

// Extra exploration: the more often a task succeeds, the smaller its share, since random decisions then mostly spoil successes. The square,
// because the spoiled rollouts count in the success rate: with a line, a mastered task would keep a share that keeps its rate down.

export const extraExplorationOf = (successRate: number, maximum: number): number =>
  maximum * (1 - successRate) ** 2;

// Dynamic length: caps the episodes of a group at a multiple of the longest recent success of its task, because longer episodes rarely
// succeed.

export interface CapOptions {
  /** The cap is the longest recent success times this factor, and at least one step more. */
  readonly margin: number;
  /** Smallest cap in steps. */
  readonly floor: number;
}

/** One group in this number is not capped, so that caps can grow again. */
export const UNCAPPED_EVERY = 8;

/** Number of recent results to search for successes: 8 full groups of 8 rollouts, of which one is uncapped. */
export const LENGTH_WINDOW = 8 * UNCAPPED_EVERY;

/** `lengths` are the steps of recent results, 0 for a failure. Returns 0 without a success. */
export const longestSuccess = (lengths: readonly number[]): number => Math.max(0, ...lengths);

/** Invariant: at most the task's limit, and above the longest success if the limit allows it. Without a success: the limit. */
export function lengthCap(longest: number, taskLimit: number, { margin, floor }: CapOptions): number {
  if (longest === 0) return taskLimit;
  return Math.min(taskLimit, Math.max(floor, longest + 1, Math.ceil(longest * margin)));
}

/** `group` counts the groups of a task that a cap can apply to, from 1. */
export const isUncapped = (group: number): boolean => group % UNCAPPED_EVERY === 0;
