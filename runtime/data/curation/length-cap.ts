// How long a group's episodes may get (DART, dynamic length): not much longer than what it took when the task succeeded lately, since
// what goes on for longer has lost its way. Pure.

export interface CapOptions {
  /** The longest recent success times this, and one step more at least. */
  readonly margin: number;
  /** No cap is below this. */
  readonly floor: number;
}

/** One group in so many is not capped, so that caps can widen again. */
export const UNCAPPED_EVERY = 8;

/** Results in which a success is recent: those of as many full groups of 8 as have an uncapped one among them. */
export const LENGTH_WINDOW = 8 * UNCAPPED_EVERY;

/** `lengths` are the steps of recent results, 0 for a failure. 0 where none succeeded. */
export const longestSuccess = (lengths: readonly number[]): number => Math.max(0, ...lengths);

/** Law: never above the task's own maximum, and above what succeeded wherever that allows it. No success: the maximum. */
export function lengthCap(longest: number, most: number, { margin, floor }: CapOptions): number {
  if (longest === 0) return most;
  return Math.min(most, Math.max(floor, longest + 1, Math.ceil(longest * margin)));
}

/** `group` counts those of a task that a cap holds for, from 1: the eighth is the first without one. */
export const isUncapped = (group: number): boolean => group % UNCAPPED_EVERY === 0;
