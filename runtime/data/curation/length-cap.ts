// DART's dynamic length: caps the episodes of a group at a multiple of the longest recent success of its task, because longer episodes
// rarely succeed. Pure.

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
