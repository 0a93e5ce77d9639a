// How sure a mean or a success rate of a few seeds is. Pure.

import { clustered, studentT, type Tally, total } from '../../data/interval.ts';
import type { Certainty } from '../results/outcome.ts';

export interface Mean {
  readonly mean: number;
  /** Of the 95 % interval; NaN with a single one, of which nothing is known. */
  readonly low: number;
  readonly high: number;
}

/** Student's interval around the mean of independent values. */
export function meanOf(values: readonly number[]): Mean {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { mean, low: Number.NaN, high: Number.NaN };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = studentT(count - 1) * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half };
}

/** The success of all seeds together, of which each is a cluster: what one of them learned, all of its trials have in common. */
export function successOf(seeds: readonly Tally[]): Mean {
  if (seeds.length > 1) {
    const { rate, low, high } = clustered(seeds);
    return { mean: rate, low, high };
  }
  const { successes, trials } = total(seeds);
  return { mean: successes / trials, low: Number.NaN, high: Number.NaN };
}

/** A difference of two rates is never beyond 1. */
export const difference = (values: readonly number[]): Mean => {
  const { mean, low, high } = meanOf(values);
  return { mean, low: Math.max(-1, low), high: Math.min(1, high) };
};

export const rounded = (value: number): number => Number(value.toPrecision(4));

/** As far as it is known. */
export const certain = ({ low, high }: Omit<Mean, 'mean'>): Certainty => ({
  ...(Number.isFinite(low) && { low: rounded(low) }),
  ...(Number.isFinite(high) && { high: rounded(high) }),
});
