// How many rollouts an instance is worth.

import { describe, expect, test } from 'vitest';
import { rolloutNumber } from '../../../runtime/data/curation/rollout-number.ts';

describe('the number of rollouts', () => {
  test.each([
    [0, 8],
    [0.3, 8],
    [0.6, 8],
    [0.65, 6],
    [0.7, 5],
    [0.75, 5],
    [0.8, 4],
    [0.9, 3],
    [0.95, 2],
    [1, 2],
  ])('at a success rate of %d is %i of 8', (rate, wanted) => {
    expect(rolloutNumber(rate, 8)).toBe(wanted);
  });

  test('never grows with the success rate, and stays between the least and the most', () => {
    for (const most of [1, 2, 4, 8, 16]) {
      let last = most;
      for (let rate = 0; rate <= 1; rate += 0.01) {
        const number = rolloutNumber(rate, most, 2);
        expect(number).toBeLessThanOrEqual(last);
        expect(number).toBeGreaterThanOrEqual(Math.min(most, 2));
        expect(Number.isInteger(number)).toBe(true);
        last = number;
      }
    }
  });

  test('is no less than is asked for', () => {
    expect(rolloutNumber(1, 8, 3)).toBe(3);
    expect(rolloutNumber(0.9, 8, 5)).toBe(5);
  });

  test('is all of them where there is no rate yet', () => {
    expect(rolloutNumber(Number.NaN, 8)).toBe(8);
  });
});
