// Laws of the curves of a comparison.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CurvePosition } from '../../runtime/compare/comparison.ts';
import { gradientShare } from '../../runtime/compare/curation-figures.ts';
import { meanCurve, meanOf } from '../../runtime/compare/curves.ts';
import { compared, graded, pointOf, recordedRun } from './recorded-runs.ts';

describe('curves', () => {
  const curve = fc
    .uniqueArray(fc.nat(50), { minLength: 1, maxLength: 8 })
    .chain(xs =>
      fc.tuple(
        fc.constant(xs.sort((a, b) => a - b)),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: xs.length, maxLength: xs.length }),
      ),
    )
    .map(([xs, rates]): readonly CurvePosition[] => xs.map((x, index) => ({ x, rate: rates[index] ?? 0 })));

  test('the mean lies between the curves, in the range that all cover, and does not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(curve, { minLength: 2, maxLength: 4 }), curves => {
        const mean = meanCurve(curves);
        const from = Math.max(...curves.map(points => points[0]?.x ?? 0));
        const to = Math.min(...curves.map(points => points.at(-1)?.x ?? 0));
        const rates = curves.flat().map(({ rate }) => rate);
        for (const { x, rate, low = 0, high = 1 } of mean) {
          expect(x >= from && x <= to).toBe(true);
          expect(rate).toBeGreaterThanOrEqual(Math.min(...rates) - 1e-9);
          expect(rate).toBeLessThanOrEqual(Math.max(...rates) + 1e-9);
          expect(low <= rate + 1e-9 && rate <= high + 1e-9).toBe(true);
        }
        const reversed = meanCurve(curves.toReversed());
        expect(reversed.map(({ x }) => x)).toEqual(mean.map(({ x }) => x));
        for (const [index, { rate }] of mean.entries()) expect(reversed[index]?.rate).toBeCloseTo(rate, 9);
      }),
    );
  });

  test('between two evaluations the rate is interpolated', () => {
    const one = [
      { x: 0, rate: 0 },
      { x: 10, rate: 1 },
    ];
    const two = [
      { x: 0, rate: 0.5 },
      { x: 5, rate: 0.5 },
      { x: 10, rate: 0.5 },
    ];
    expect(meanCurve([one, two]).map(({ x, rate }) => [x, rate])).toEqual([
      [0, 0.25],
      [5, 0.5],
      [10, 0.75],
    ]);
  });

  test("the interval over seeds is Student's", () => {
    // Mean 0.5, standard deviation 0.1: 0.5 ± 4.302653 · 0.1 / √3.
    const { low, high } = meanOf([0.4, 0.5, 0.6]);
    expect(low).toBeCloseTo(0.2516, 4);
    expect(high).toBeCloseTo(0.7484, 4);
  });

  test('a cost that is not recorded gives no curve, and the runs without it are named', () => {
    const paid = recordedRun('a', {
      curve: [0, 10, 20].map(x => ({ ...pointOf(x, x / 40), cost: { tokens: 1000 * x } })),
    });
    const { curves } = compared(paid, graded('b'));
    expect(curves.map(({ over, arms, without }) => [over, arms.map(({ arm }) => arm), without])).toEqual([
      ['steps', ['A', 'B'], []],
      ['seconds', ['A', 'B'], []],
      ['tokens', ['A'], ['b']],
    ]);
    expect(curves[2]?.arms[0]?.mean.map(({ x }) => x)).toEqual([0, 10_000, 20_000]);
  });

  test('the share of groups with a gradient is that of the last tenth', () => {
    const samples = Array.from({ length: 101 }, (_, seconds) => ({
      ...{ seconds, trainable: seconds < 50 ? 0 : seconds - 50, filtered: Math.min(seconds, 50) },
    }));
    const shares = gradientShare(samples);
    expect(shares.find(({ x }) => x === 40)?.rate).toBe(0);
    expect(shares.find(({ x }) => x === 55)?.rate).toBeCloseTo(0.5, 9);
    expect(shares.at(-1)?.rate).toBe(1);
  });
});
