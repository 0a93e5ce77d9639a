// Advantages from the values of steps, against numbers worked out by hand.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  filteredAdvantages,
  generalisedAdvantages,
  lambdaOf,
} from '../../../runtime/data/critics/critic-advantages.ts';

const value = fc.double({ min: 0, max: 1, noNaN: true });
const values = fc.array(value, { minLength: 1, maxLength: 20 });

describe('generalised advantage estimation', () => {
  test('with the values ½, ¼, ¾, the reward 1 and λ = ½: δ is −¼, ½, ¼', () => {
    expect(generalisedAdvantages([0.5, 0.25, 0.75], 1, 0.5)).toEqual([0.0625, 0.625, 0.25]);
  });

  test('with λ = 1 it is the distance of the reward from the value', () => {
    fc.assert(
      fc.property(values, value, (all, reward) => {
        for (const [step, advantage] of generalisedAdvantages(all, reward, 1).entries())
          expect(advantage).toBeCloseTo(reward - (all[step] ?? Number.NaN), 9);
      }),
    );
  });

  test('with λ = 0 it is the change of the value', () => {
    fc.assert(
      fc.property(values, value, (all, reward) => {
        const after = [...all.slice(1), reward];
        expect(generalisedAdvantages(all, reward, 0)).toEqual(
          all.map((each, step) => (after[step] ?? Number.NaN) - each),
        );
      }),
    );
  });

  test('looks further ahead in longer rollouts', () => {
    expect([1, 4, 20].map(lambdaOf)).toEqual([0, 0.75, 0.95]);
  });
});

describe('the filtered advantage', () => {
  test('after a failure, only steps that raise the value by more than 0.05 train', () => {
    // ½ → 0.2 is lower, 0.2 → 0.9 is higher, 0.9 → 0.94 is too little, and nothing follows 0.94.
    expect(filteredAdvantages([0.5, 0.2, 0.9, 0.94], 0)).toEqual([0, 1, 0, 0]);
  });

  test('after a success, a step that loses more value than the discounted reward does not train', () => {
    // 0 − 0.9 − 0.05 + 0.9 is below 0; with 0.8 instead of 0.9 it is above.
    expect(filteredAdvantages([0.9, 0], 1)).toEqual([0, 1]);
    expect(filteredAdvantages([0.8, 0], 1)).toEqual([1, 1]);
    // Ten steps before the end the reward counts 0.9¹⁰ = 0.35.
    expect(filteredAdvantages([0.5, 0.1, ...Array<number>(9).fill(0.1)], 1)[0]).toBe(0);
    expect(filteredAdvantages([0.3, 0.1, ...Array<number>(9).fill(0.1)], 1)[0]).toBe(1);
  });

  test('the last step of a success always trains, that of a failure never', () => {
    fc.assert(
      fc.property(values, all => {
        expect(filteredAdvantages(all, 1).at(-1)).toBe(1);
        expect(filteredAdvantages(all, 0).at(-1)).toBe(0);
      }),
    );
  });
});
