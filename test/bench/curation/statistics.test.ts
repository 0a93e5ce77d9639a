import { expect, test } from 'vitest';
import { difference, meanOf, successOf } from '../../../runtime/bench/curation/statistics.ts';

test("the interval of a mean is Student's; a single value has none", () => {
  const { mean, low, high } = meanOf([1, 2, 3, 4, 5]);
  expect(mean).toBe(3);
  // 2.776445 × √(2.5 / 5).
  expect(high - mean).toBeCloseTo(1.9632, 2);
  expect(mean - low).toBeCloseTo(1.9632, 2);
  expect(meanOf([7])).toEqual({ mean: 7, low: Number.NaN, high: Number.NaN });
});

test('the interval of a success rate lies between 0 and 1, and equal seeds still have one', () => {
  const none = successOf(Array.from({ length: 5 }, () => ({ successes: 0, trials: 20 })));
  expect(none).toMatchObject({ mean: 0, low: 0 });
  expect(none.high).toBeGreaterThan(0.03);
  const two = successOf([
    { successes: 0, trials: 20 },
    { successes: 20, trials: 20 },
  ]);
  expect(two.mean).toBe(0.5);
  expect(two.low).toBeGreaterThanOrEqual(0);
  expect(two.high).toBeLessThanOrEqual(1);
  expect(two.high - two.low).toBeGreaterThan(0.8);
  expect(successOf([{ successes: 5, trials: 20 }])).toEqual({
    mean: 0.25,
    low: Number.NaN,
    high: Number.NaN,
  });
});

test('the interval of a difference of rates stays within -1 and 1', () => {
  expect(difference([-1, 1])).toEqual({ mean: 0, low: -1, high: 1 });
});
