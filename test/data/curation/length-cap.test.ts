// How long the episodes of a group may get.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isUncapped,
  LENGTH_WINDOW,
  lengthCap,
  longestSuccess,
} from '../../../runtime/data/curation/length-cap.ts';

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

test('a cap leaves more than what succeeded took, and never more than the task has', () => {
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

test('failures say nothing about how long it takes', () => {
  expect(longestSuccess([])).toBe(0);
  expect(longestSuccess([0, 0])).toBe(0);
  expect(longestSuccess([0, 5, 0, 3])).toBe(5);
});

test('of the groups in which a success is recent there is always one that nothing caps', () => {
  for (let first = 1; first < 20; first++) {
    const groups = Array.from({ length: LENGTH_WINDOW / 8 }, (_, index) => first + index);
    expect(groups.filter(isUncapped)).toHaveLength(1);
  }
});
