// Random choices. Pure except for the random numbers that they draw.

import type { Random } from './rng.ts';
import { sum } from './sum.ts';

/** A uniform choice; undefined if there are no choices. */
export function oneOf<T>(random: Random, choices: readonly [T, ...T[]]): T;
export function oneOf<T>(random: Random, choices: readonly T[]): T | undefined;
export function oneOf<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices.length === 0 ? undefined : choices[random.int(choices.length)];
}

/** A choice with probabilities proportional to the weights; undefined if no weight is positive. */
export function weighted<T>(
  random: Random,
  choices: readonly T[],
  weightOf: (choice: T) => number,
): T | undefined {
  const weights = choices.map(weightOf);
  let left = random.next() * sum(weights);
  const found = weights.findIndex(weight => {
    left -= weight;
    return left < 0;
  });
  // Rounding may leave a remainder, which belongs to the last choice with a positive weight.
  return choices[found >= 0 ? found : weights.findLastIndex(weight => weight > 0)];
}

/** A uniform permutation. */
export function shuffled<T>(random: Random, all: readonly T[]): T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(random.int(left.length), 1));
}
