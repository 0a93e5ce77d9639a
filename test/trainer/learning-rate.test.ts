import { expect, test } from 'vitest';
import { cosineDecay, warmUp } from '../../runtime/trainer/update-step.ts';

test('the decay falls monotonically from 1 to the floor', () => {
  const shares = Array.from({ length: 101 }, (_, index) => cosineDecay(index / 100, 0.1));
  expect(shares[0]).toBeCloseTo(1, 12);
  expect(shares[50]).toBeCloseTo(0.55, 12);
  expect(shares[100]).toBeCloseTo(0.1, 12);
  expect(shares.toSorted((a, b) => b - a)).toEqual(shares);
});

test('the decay is constant outside the training time', () => {
  expect(cosineDecay(-1, 0.2)).toBe(cosineDecay(0, 0.2));
  expect(cosineDecay(7, 0.2)).toBe(cosineDecay(1, 0.2));
});

test('the warm-up rises linearly to 1', () => {
  expect([0, 1, 2, 3, 4, 100].map(before => warmUp(before, 4))).toEqual([0.25, 0.5, 0.75, 1, 1, 1]);
  expect(warmUp(0, 0)).toBe(1);
});
