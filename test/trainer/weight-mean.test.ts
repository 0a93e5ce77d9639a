// The mean of the weights over the last seconds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WeightMean } from '../../runtime/trainer/weight-mean.ts';

const FIRST = Float32Array.of(1, -1);
const LATER = Float32Array.of(3, 3);

test('approaches weights that last', () => {
  const mean = new WeightMean(FIRST, 0);
  mean.add(LATER, 6000);
  expect(mean.values()[0]).toBeCloseTo(1 + 2 * (1 - Math.exp(-1)), 5);
  mean.add(LATER, 1e6);
  expect(Array.from(mean.values())).toEqual([3, 3]);
});

test('does not depend on the number of calls with equal weights', () => {
  const moments = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 20 });
  fc.assert(
    fc.property(moments, fc.integer({ min: 20_000, max: 30_000 }), (between, end) => {
      const [often, once] = [new WeightMean(FIRST, 0), new WeightMean(FIRST, 0)];
      for (const at of [...between.sort((a, b) => a - b), end]) often.add(LATER, at);
      once.add(LATER, end);
      for (const [index, value] of often.values().entries())
        expect(value).toBeCloseTo(once.values()[index] ?? Number.NaN, 4);
    }),
  );
});

test('stays within the range of its inputs, even with a clock that jumps back', () => {
  const mean = new WeightMean(FIRST, 10_000_000);
  mean.add(LATER, 0);
  expect(Array.from(mean.values())).toEqual([1, -1]);
});

test('shares no memory with its inputs and outputs', () => {
  const first = FIRST.slice();
  const mean = new WeightMean(first, 0);
  const before = mean.values();
  first.fill(9);
  mean.add(LATER, 1000);
  expect(Array.from(before)).toEqual([1, -1]);
  expect(mean.values()[0]).toBeLessThan(3);
});
