// Random choices. Pure except for the numbers that they draw.

import type { Random } from './rng.ts';

/** Any of some, each as likely as the others; undefined where there are none. */
export const oneOf = <T>(random: Random, choices: readonly T[]): T | undefined =>
  choices.length === 0 ? undefined : choices[random.int(choices.length)];

/** One of some, each as likely as its weight says; undefined where no weight is above 0. */
export function weighted<T>(
  random: Random,
  choices: readonly T[],
  weightOf: (choice: T) => number,
): T | undefined {
  const weights = choices.map(weightOf);
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex(weight => {
    left -= weight;
    return left < 0;
  });
  // Rounding may leave a little over: it belongs to the last one that can be chosen.
  return choices[found >= 0 ? found : weights.findLastIndex(weight => weight > 0)];
}

/** The same in another order. */
export function shuffled<T>(random: Random, all: readonly T[]): T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(random.int(left.length), 1));
}
