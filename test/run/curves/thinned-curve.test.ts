// The thinned curve of a long run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EvaluationPoint } from '../../../runtime/protocol/daemon/state.ts';
import { thinnedCurve } from '../../../runtime/run/curves/thinned-curve.ts';

const SPLITS = ['test', 'train', 'unseen'] as const;
const curveOf = (splits: readonly EvaluationPoint['split'][]): readonly EvaluationPoint[] =>
  splits.map((split, index) => ({
    ...{ seconds: index, steps: index, split, version: index },
    ...{ successes: 1, trials: 2, rate: 0.5, low: 0.1, high: 0.9 },
  }));
const long = (count: number) =>
  curveOf(Array.from({ length: count }, (_, index) => (index % 2 ? 'train' : 'test')));

test('a curve of up to a thousand points per split stays as it is', () => {
  const curve = long(2000);
  expect(thinnedCurve(curve)).toEqual(curve);
});

test('a longer one keeps points at equal distances, and the first and the newest of each split', () => {
  const curve = long(20_001);
  const thin = thinnedCurve(curve);
  expect(thin.length).toBeLessThanOrEqual(2 * 1001);
  expect(thin.length).toBeGreaterThan(1000);
  for (const split of ['test', 'train']) {
    const [all, kept] = [curve, thin].map(points => points.filter(point => point.split === split));
    expect([kept?.[0], kept?.at(-1)]).toEqual([all?.[0], all?.at(-1)]);
  }
});

test('a thinned curve is not thinned further when a run resumes with it', () => {
  const thin = thinnedCurve(curveOf(Array.from({ length: 2000 }, () => 'test')));
  expect(thin).toHaveLength(1001);
  expect(thinnedCurve(thin)).toEqual(thin);
});

test('it is a part of the curve in the same order, and not thinned further without new points', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SPLITS), { maxLength: 50 }), fc.nat(2500), (splits, more) => {
      const curve = [...curveOf(splits), ...long(more)].map((point, index) => ({ ...point, seconds: index }));
      const thin = thinnedCurve(curve);
      const places = thin.map(point => curve.indexOf(point));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(thin.at(-1)).toEqual(curve.at(-1));
      expect(thinnedCurve(thin)).toEqual(thin);
    }),
    { numRuns: 20 },
  );
});
