import { expect, test } from 'vitest';
import { cooled, warmed } from '../../runtime/trainer/cooling.ts';

test('it falls from all of the rate to the floor, never rises on the way, and stays within both', () => {
  const shares = Array.from({ length: 101 }, (_, index) => cooled(index / 100, 0.1));
  expect(shares[0]).toBeCloseTo(1, 12);
  expect(shares[50]).toBeCloseTo(0.55, 12);
  expect(shares[100]).toBeCloseTo(0.1, 12);
  expect(shares.toSorted((a, b) => b - a)).toEqual(shares);
});

test('before the start and after the end it is as at the start and at the end', () => {
  expect(cooled(-1, 0.2)).toBe(cooled(0, 0.2));
  expect(cooled(7, 0.2)).toBe(cooled(1, 0.2));
});

test('it warms in equal steps from the first update on, and is then as warm as it gets', () => {
  expect([0, 1, 2, 3, 4, 100].map(before => warmed(before, 4))).toEqual([0.25, 0.5, 0.75, 1, 1, 1]);
  expect(warmed(0, 0)).toBe(1);
});
