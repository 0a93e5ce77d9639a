import { describe, expect, test } from 'vitest';
import { leastSquares } from '../../runtime/bench/least-squares.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';

/** By Box and Muller. */
const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

describe('least squares', () => {
  test('coefficients of a model without noise are exact', () => {
    const rows = [[1, 0, 2], [1, 1, 0], [1, 2, 5], [1, 3, 1], [0, 4, 4]]; // biome-ignore format: a matrix
    const found = leastSquares(
      rows,
      rows.map(([a = 0, b = 0, c = 0]) => 3 * a - 2 * b + 0.5 * c),
    );
    for (const [index, value] of [3, -2, 0.5].entries()) {
      expect(found[index]?.value).toBeCloseTo(value, 9);
      expect(found[index]?.low).toBeCloseTo(value, 6);
      expect(found[index]?.high).toBeCloseTo(value, 6);
    }
  });

  test('the order of the factors does not matter, also if the first one is zero in the first row', () => {
    const rows = [[0, 1], [2, 1], [3, 1], [5, 1]]; // biome-ignore format: a matrix
    const observed = [1, 4, 6, 11];
    const [slope, start] = leastSquares(rows, observed);
    const [again, slopeAgain] = leastSquares(
      rows.map(row => row.toReversed()),
      observed,
    );
    expect(slopeAgain?.value).toBeCloseTo(slope?.value ?? Number.NaN, 9);
    expect(again?.value).toBeCloseTo(start?.value ?? Number.NaN, 9);
  });

  test('95 % of the intervals contain the true coefficient', () => {
    const random = seeded('noise');
    let hits = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const rows = Array.from({ length: 12 }, () => [1, random.next()]);
      const observed = rows.map(([, x = 0]) => 2 + 7 * x + gaussian(random));
      const slope = leastSquares(rows, observed)[1];
      if (slope !== undefined && slope.low <= 7 && 7 <= slope.high) hits += 1;
    }
    expect(hits / 2000).toBeGreaterThan(0.93);
    expect(hits / 2000).toBeLessThan(0.97);
  });

  test('too few observations, and a factor that follows from the others, are errors', () => {
    expect(() => leastSquares([[1, 2], [1, 3]], [1, 2])).toThrow(RangeError); // biome-ignore format: a matrix
    expect(() => leastSquares([[1, 2], [2, 4], [3, 6]], [1, 2, 3])).toThrow(RangeError); // biome-ignore format: a matrix
  });
});
