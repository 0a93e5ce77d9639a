// Which steps of a group train: the uncertain ones.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uncertainty } from '../../runtime/core/decision.ts';
import { highEntropyMask, stepUncertainty } from '../../runtime/trainer/mask.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index / count);
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the mask', () => {
  test('leaves out the fifth of the steps with the lowest entropy', () => {
    for (const count of [10, 20, 100]) {
      const { kept, threshold } = highEntropyMask(numbers(count));
      expect(kept.filter(each => !each)).toHaveLength(count / 5);
      expect(kept.indexOf(true)).toBe(count / 5);
      expect(threshold).toBeCloseTo(0.2, 10);
    }
  });

  test('keeps steps at the threshold', () => {
    const { kept } = highEntropyMask([...Array(5).fill(0.1), ...Array(5).fill(0.1), 0.9]);
    expect(kept.every(Boolean)).toBe(true);
    expect(highEntropyMask([0, ...Array(9).fill(0.5)]).kept).toEqual([false, ...Array(9).fill(true)]);
  });

  test('keeps all steps of a small group', () => {
    for (let count = 0; count < 10; count++)
      expect(highEntropyMask(numbers(count)).kept).toEqual(Array(count).fill(true));
  });

  test('keeps exactly the steps at or above the threshold, at least four fifths', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 10, maxLength: 60 }), uncertainties => {
        const copy = [...uncertainties];
        const { kept, threshold } = highEntropyMask(uncertainties);
        expect(uncertainties).toEqual(copy);
        expect(kept).toEqual(uncertainties.map(each => each >= threshold));
        expect(kept.filter(Boolean).length).toBeGreaterThanOrEqual(0.8 * uncertainties.length);
      }),
    );
  });
});

describe('the entropy of a step', () => {
  test('is the mean over its decisions', () => {
    expect(stepUncertainty([0.2, 0.9, 0.6], [1, 0, 1], [true, true, true])).toBeCloseTo(0.4, 10);
  });

  test('leaves out decisions with one valid choice', () => {
    expect(stepUncertainty([0.2, 0, 0.6], [1, 1, 1], [true, false, true])).toBeCloseTo(0.4, 10);
    expect(stepUncertainty([0, 0], [1, 1], [false, false])).toBe(0);
    expect(stepUncertainty([0.3], [0], [true])).toBe(0);
  });

  test('equals the recorded one', () => {
    const decision = fc.record({
      entropy: fc.double({ min: 0, max: 2, noNaN: true }),
      choices: fc.integer({ min: 1, max: 80 }),
    });
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 4 }), decisions => {
        const shares = decisions.map(({ entropy, choices }) =>
          choices > 1 ? entropy / Math.log(choices) : 0,
        );
        const open = decisions.map(({ choices }) => choices > 1);
        const used = decisions.map(() => 1);
        expect(stepUncertainty(shares, used, open)).toBeCloseTo(uncertainty(decisions), 9);
      }),
    );
  });
});
