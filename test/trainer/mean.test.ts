// The mean of the weights over the last seconds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunningMean } from '../../runtime/trainer/mean.ts';

const FIRST = Float32Array.of(1, -1);
const LATER = Float32Array.of(3, 3);

test('comes the nearer to the present weights the longer they last', () => {
  const mean = new RunningMean(FIRST, 0);
  mean.see(LATER, 6000);
  expect(mean.values()[0]).toBeCloseTo(1 + 2 * (1 - Math.exp(-1)), 5);
  mean.see(LATER, 1e6);
  expect(Array.from(mean.values())).toEqual([3, 3]);
});

test('does not depend on how often weights are looked at that do not change', () => {
  const moments = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 20 });
  fc.assert(
    fc.property(moments, fc.integer({ min: 20_000, max: 30_000 }), (between, end) => {
      const [often, once] = [new RunningMean(FIRST, 0), new RunningMean(FIRST, 0)];
      for (const at of [...between.sort((a, b) => a - b), end]) often.see(LATER, at);
      once.see(LATER, end);
      for (const [index, value] of often.values().entries())
        expect(value).toBeCloseTo(once.values()[index] ?? Number.NaN, 4);
    }),
  );
});

test('stays between what it has seen, even when the clock is set back', () => {
  const mean = new RunningMean(FIRST, 10_000_000);
  mean.see(LATER, 0);
  expect(Array.from(mean.values())).toEqual([1, -1]);
});

test('shares no memory with the weights, nor with what it gave', () => {
  const first = FIRST.slice();
  const mean = new RunningMean(first, 0);
  const before = mean.values();
  first.fill(9);
  mean.see(LATER, 1000);
  expect(Array.from(before)).toEqual([1, -1]);
  expect(mean.values()[0]).toBeLessThan(3);
});
