// Advantages of the steps of a rollout from the values that a critic gives to their observations. Pure.

import { at } from '../../core/at.ts';

/** Future rewards of DigiRL. */
const DISCOUNT = 0.9;
/** A step has to raise the value by more, in DigiRL. */
const STEP_COST = 0.05;

/**
 * DigiRL: 1 for a step that trains, otherwise 0. A step trains if V(s′) − V(s) − 0.05 + r + 0.9^(steps to come)·R is above 0, where r is R for
 * the last step and 0 for the others.
 */
export const filteredAdvantages = (values: readonly number[], reward: number): readonly number[] =>
  values.map((value, step) => {
    const isLast = step === values.length - 1;
    const gained = (isLast ? 0 : at(values, step + 1)) - value - STEP_COST + (isLast ? reward : 0);
    return Number(gained + DISCOUNT ** (values.length - 1 - step) * reward > 0);
  });

/** Generalised advantage estimation without a discount: A = δ + λ·A′ with δ = V(s′) − V(s), and R − V(s) for the last step. */
export function generalisedAdvantages(
  values: readonly number[],
  reward: number,
  lambda: number,
): readonly number[] {
  const advantages: number[] = [];
  let [next, after] = [reward, 0];
  for (const value of values.toReversed()) {
    after = next - value + lambda * after;
    advantages.push(after);
    next = value;
  }
  return advantages.reverse();
}

/** Length-adaptive λ = 1 − 1/(α·l) with α = 1 and l in steps: the estimate looks as far ahead as the rollout is long. */
export const lambdaOf = (steps: number): number => 1 - 1 / steps;
