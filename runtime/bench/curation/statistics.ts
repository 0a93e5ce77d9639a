// Means and success rates of a few seeds, with 95 % intervals. Pure.

import { clustered, type SuccessTally, studentT, total } from '../../data/interval.ts';
import type { Certainty } from '../results/outcome.ts';

export interface Mean {
  readonly mean: number;
  /** The 95 % interval; NaN for a single value. */
  readonly low: number;
  readonly high: number;
}

const UNKNOWN = { low: Number.NaN, high: Number.NaN };

/** Student's interval around the mean of independent values. */
export function meanOf(values: readonly number[]): Mean {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { mean, ...UNKNOWN };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = studentT(count - 1) * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half };
}

/** The success rate of all seeds together, clustered by seed. */
export function successOf(seeds: readonly SuccessTally[]): Mean {
  const { successes, trials } = total(seeds);
  if (seeds.length < 2) return { mean: successes / trials, ...UNKNOWN };
  const { rate, low, high } = clustered(seeds);
  return { mean: rate, low, high };
}

/** The mean of differences of rates; its interval stays within -1 and 1. */
export const difference = (values: readonly number[]): Mean => {
  const { mean, low, high } = meanOf(values);
  return { mean, low: Math.max(-1, low), high: Math.min(1, high) };
};

/** The finite ends of an interval. */
export const certain = ({ low, high }: Omit<Mean, 'mean'>): Certainty => ({
  ...(Number.isFinite(low) && { low }),
  ...(Number.isFinite(high) && { high }),
});
