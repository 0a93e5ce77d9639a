// Selects the steps of a group that train: those with high entropy (DART, high-entropy steps).

import { at } from '../core/at.ts';
import { sum } from '../core/sum.ts';

/** The percentile of the threshold, from 0 to 1. */
const SHARE = 0.2;
/** All steps of smaller groups train. */
const MIN_STEPS = 10;

export interface StepMask {
  /** Steps with at least this entropy train. */
  readonly threshold: number;
  readonly kept: readonly boolean[];
}

/** The threshold is the 20th percentile of the group; steps equal to it train. */
export function highEntropyMask(uncertainties: readonly number[]): StepMask {
  if (uncertainties.length < MIN_STEPS) return { threshold: 0, kept: uncertainties.map(() => true) };
  const sorted = [...uncertainties].sort((a, b) => a - b);
  const threshold = at(sorted, Math.floor(SHARE * sorted.length));
  return { threshold, kept: uncertainties.map(each => each >= threshold) };
}

/** The entropy of a step: the mean over its decisions that had more than one valid choice. */
export function stepUncertainty(
  shares: readonly number[],
  used: readonly number[],
  open: readonly boolean[],
): number {
  const chosen = shares.filter((_, slot) => used[slot] === 1 && open[slot] !== false);
  return sum(chosen) / Math.max(1, chosen.length);
}
