import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Allowance } from '../../../runtime/run/host/allowance.ts';

/** Spends whenever it may, each time so long, and looks again after a while; the share of the time that came to. */
function spent(share: number, takes: number, rests: number): number {
  const allowance = new Allowance(0);
  let [now, sum] = [0, 0];
  while (now < 100_000) {
    if (allowance.has(now, share)) {
      now += takes;
      sum += takes;
      allowance.spend(takes);
    } else now += rests;
  }
  return sum / now;
}

test('work of any length gets its share of the time', () => {
  const share = fc.double({ min: 0.05, max: 0.9, noNaN: true });
  fc.assert(
    fc.property(share, fc.double({ min: 0.1, max: 40, noNaN: true }), (part, takes) => {
      expect(Math.abs(spent(part, takes, 5) - part)).toBeLessThan(0.05);
    }),
  );
});

test('unused time is not saved up', () => {
  const allowance = new Allowance(0);
  expect(allowance.has(1_000_000, 0.5)).toBe(true);
  allowance.spend(60);
  expect(allowance.has(1_000_000, 0.5)).toBe(false);
});
