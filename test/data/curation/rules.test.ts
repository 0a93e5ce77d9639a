// DART's rules for one task: revisits, rollout number and length cap.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isUncapped,
  isWorthVisiting,
  LENGTH_WINDOW,
  lengthCap,
  longestSuccess,
  RESULT_WINDOW,
  rolloutNumber,
} from '../../../runtime/data/curation/rules.ts';

describe('revisits', () => {
  const same = (result: boolean, count: number) => Array<boolean>(count).fill(result);
  const visits = (results: readonly boolean[]) =>
    Array.from({ length: 40 }, (_, visit) => isWorthVisiting(results, visit, 0, 0)).filter(Boolean).length;

  test('a task with few or differing results is always visited', () => {
    for (const results of [
      [],
      same(true, RESULT_WINDOW - 1),
      [false, ...same(true, RESULT_WINDOW - 1)],
      [...same(true, 40), false],
    ])
      expect(visits(results)).toBe(40);
  });

  test.each([true, false])('a task whose last results are all %s has one visit in four', result => {
    expect(visits(same(result, RESULT_WINDOW))).toBe(10);
    expect(visits([!result, ...same(result, RESULT_WINDOW)])).toBe(10);
  });
});

test('patience keeps the visits of a task that fails, for so many failures', () => {
  const visits = (result: boolean, failures: number) =>
    Array.from({ length: 40 }, (_, visit) =>
      isWorthVisiting(Array<boolean>(RESULT_WINDOW).fill(result), visit, failures, 100),
    ).filter(Boolean).length;
  expect(visits(false, 99)).toBe(40);
  expect(visits(false, 100)).toBe(10);
  expect(visits(true, 0)).toBe(10);
});

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

  test('never grows with the success rate, and stays within its bounds', () => {
    for (const most of [1, 2, 4, 8, 16]) {
      let last = most;
      for (let rate = 0; rate <= 1; rate += 0.01) {
        const number = rolloutNumber(rate, most);
        expect(number).toBeLessThanOrEqual(last);
        expect(number).toBeGreaterThanOrEqual(Math.min(most, 2));
        expect(Number.isInteger(number)).toBe(true);
        last = number;
      }
    }
  });

  test('is the maximum without a success rate', () => {
    expect(rolloutNumber(Number.NaN, 8)).toBe(8);
  });
});

const USUAL = { margin: 1.25, floor: 4 };

test.each([
  [0, 30, 30],
  [1, 30, 4],
  [4, 30, 5],
  [8, 30, 10],
  [9, 30, 12],
  [20, 30, 25],
  [29, 30, 30],
  [30, 30, 30],
  [2, 3, 3],
])('after a longest success of %i steps a task of %i steps has a cap of %i', (longest, most, wanted) => {
  expect(lengthCap(longest, most, USUAL)).toBe(wanted);
});

test('a cap exceeds the longest success, and never the limit of the task', () => {
  const options = fc.record({
    margin: fc.double({ min: 1, max: 10, noNaN: true }),
    floor: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 60 }), options, (longest, most, caps) => {
      const cap = lengthCap(longest, most, caps);
      expect(Number.isInteger(cap)).toBe(true);
      expect(cap).toBeLessThanOrEqual(most);
      expect(cap).toBeGreaterThanOrEqual(Math.min(most, caps.floor, longest + 1));
      if (longest === 0) expect(cap).toBe(most);
      else expect(cap).toBeGreaterThanOrEqual(Math.min(most, longest + 1));
      // Longer successes never make it shorter.
      expect(lengthCap(longest + 1, most, caps)).toBeGreaterThanOrEqual(longest === 0 ? 0 : cap);
    }),
  );
});

test('failures do not count as lengths', () => {
  expect(longestSuccess([])).toBe(0);
  expect(longestSuccess([0, 0])).toBe(0);
  expect(longestSuccess([0, 5, 0, 3])).toBe(5);
});

test('a window of groups always contains one without a cap', () => {
  for (let first = 1; first < 20; first++) {
    const groups = Array.from({ length: LENGTH_WINDOW / 8 }, (_, index) => first + index);
    expect(groups.filter(isUncapped)).toHaveLength(1);
  }
});
