// The comparison of a value with those of its group, in standard deviations. Pure arithmetic.

import { at } from '../core/at.ts';
import { sum } from '../core/sum.ts';

/** Bound on the absolute advantage. Without it one short success among long failures would dominate the update. */
const LARGEST = 3;
const EPSILON = 1e-6;

/** A = (R − mean) / (deviation + 1e-6), bounded. The weights are those of the mean and of the deviation. */
export function advantagesIn(
  values: readonly number[],
  weights: readonly number[] = values.map(() => 1),
): (reward: number) => number {
  const { mean, deviation } = spreadOf(values, weights);
  return reward => boundedAdvantage((reward - mean) / (deviation + EPSILON));
}

/** The standard deviation divides by the number of values. */
export function spreadOf(values: readonly number[], weights: readonly number[] = values.map(() => 1)) {
  const count = sum(weights);
  const mean = sum(values.map((value, index) => value * at(weights, index))) / count;
  const variance = sum(values.map((value, index) => at(weights, index) * (value - mean) ** 2)) / count;
  return { mean, deviation: Math.sqrt(variance) };
}

/** False if all rewards are equal: every advantage is 0 then. */
export const carriesGradient = (rewards: readonly number[]): boolean =>
  rewards.some(reward => reward !== rewards[0]);

export const boundedAdvantage = (advantage: number): number =>
  Math.max(-LARGEST, Math.min(LARGEST, advantage));
