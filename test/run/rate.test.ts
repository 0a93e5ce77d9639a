// The rate of a counter.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rate } from '../../runtime/run/rate.ts';

const noted = (...notes: readonly (readonly [count: number, seconds: number])[]) => {
  const rate = new Rate();
  for (const [count, seconds] of notes) rate.record(count, 1000 * seconds);
  return rate.perSecond;
};

test('the rate is 0 before the second sample', () => {
  expect(noted()).toBe(0);
  expect(noted([5, 1])).toBe(0);
  expect(noted([5, 1], [9, 1])).toBe(0);
});

test('the rate covers the last ten seconds', () => {
  expect(noted([0, 0], [100, 1])).toBe(100);
  expect(noted([0, 0], [100, 1], [110, 6], [120, 11])).toBe(2);
  expect(noted([0, 0], [100, 100])).toBe(1);
});

test('a restarted counter gives no negative rate', () => {
  expect(noted([100, 0], [200, 1], [3, 2])).toBe(0);
  expect(noted([100, 0], [200, 1], [3, 2], [5, 3])).toBe(2);
});

test('after the clock of the counter was set back, only later samples count', () => {
  expect(noted([0, 3600], [100, 3601], [110, 1])).toBe(0);
  expect(noted([0, 3600], [100, 3601], [110, 1], [115, 2])).toBe(5);
});

test('a steady growth gives its rate at any sampling interval', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), steps, (perSecond, all) => {
      const rate = new Rate();
      let at = 0;
      rate.record(0, at);
      for (const step of all) {
        at += step;
        rate.record((perSecond * at) / 1000, at);
      }
      expect(rate.perSecond).toBeCloseTo(perSecond, 6);
    }),
  );
});
