// How many rollouts an instance is worth, and whether it is visited at all.

import { describe, expect, test } from 'vitest';
import { isWorthVisiting, rolloutNumber, WINDOW } from '../../runtime/data/rollout-number.ts';

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

describe('a task', () => {
  const same = (result: boolean, count: number) => Array<boolean>(count).fill(result);
  const visits = (results: readonly boolean[]) =>
    Array.from({ length: 40 }, (_, visit) => isWorthVisiting(results, visit)).filter(Boolean).length;

  test('whose results differ, or are few, is always visited', () => {
    for (const results of [
      [],
      same(true, WINDOW - 1),
      [false, ...same(true, WINDOW - 1)],
      [...same(true, 40), false],
    ])
      expect(visits(results)).toBe(40);
  });

  test.each([true, false])('whose last results are all %s is visited one time in four', result => {
    expect(visits(same(result, WINDOW))).toBe(10);
    expect(visits([!result, ...same(result, WINDOW)])).toBe(10);
  });
});
