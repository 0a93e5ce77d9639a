import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvaluationPoint } from '../../../runtime/protocol/daemon/state.ts';
import { CURVE_AXES } from '../../../webview/training/labels.ts';
import { latestAt, layOutCurve, positionsOf } from '../../../webview/training/plot.ts';
import { playedState } from '../../server/played-state.ts';

const { curve, of } = playedState(700);
const SIZE = { width: 600, height: 300 };

const point = (seconds: number, split: EvaluationPoint['split'], rate = 0.5): EvaluationPoint => ({
  seconds,
  steps: Math.round(100 * seconds),
  split,
  rate,
  low: rate / 2,
  high: (1 + rate) / 2,
  version: 0,
  successes: 1,
  trials: 2,
});
const anyCurve = fc.array(
  fc
    .tuple(
      fc.nat(5000),
      fc.constantFrom('train', 'test', 'unseen'),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(args => point(...args)),
  { maxLength: 30 },
);

test('all shapes lie within the drawing, for any data and size', () => {
  const width = fc.integer({ min: 200, max: 2000 });
  fc.assert(
    fc.property(
      anyCurve,
      fc.constantFrom(...CURVE_AXES),
      fc.nat(3000),
      width,
      (points, over, length, wide) => {
        const { box, lines, ticks, x } = layOutCurve(points, over, length, { width: wide, height: 210 });
        const numbers = lines.flatMap(({ path, band }) => (path + band).match(/-?[\d.]+/g) ?? []).map(Number);
        for (const [index, number] of numbers.entries()) {
          const [low, high] = index % 2 === 0 ? [box.left, box.right] : [box.top, box.bottom];
          expect(number).toBeGreaterThanOrEqual(low);
          expect(number).toBeLessThanOrEqual(high);
        }
        for (const tick of ticks) expect(x(tick)).toBeLessThanOrEqual(box.right);
        // Room for the tick labels.
        expect(ticks.length - 1).toBeLessThanOrEqual(Math.max(2, (box.right - box.left) / 90));
      },
    ),
  );
});

test('the band contains the line at each evaluation', () => {
  const { lines, y } = layOutCurve(curve, 'seconds', of, SIZE);
  expect(lines.map(({ split }) => split)).toEqual(['test', 'train', 'unseen']);
  for (const { points } of lines)
    for (const { low, rate, high } of points) {
      expect(y(high)).toBeLessThanOrEqual(y(rate));
      expect(y(rate)).toBeLessThanOrEqual(y(low));
    }
});

test('the remaining time is empty', () => {
  const { x, box } = layOutCurve(curve, 'seconds', of, SIZE);
  expect(x(of)).toBe(box.right);
  expect(x(of / 2)).toBe((box.left + box.right) / 2);
});

test.each(CURVE_AXES)(
  'over %s every evaluation has its position, and the last is at the right edge',
  over => {
    const { lines, x, box } = layOutCurve(curve, over, 0, SIZE);
    const last = Math.max(...curve.map(each => each[over]));
    expect(x(last)).toBe(box.right);
    for (const { points, path } of lines)
      expect(path.match(/[\d.]+(?= )/g)?.map(Number)).toEqual(points.map(each => x(each[over])));
  },
);

describe('the latest evaluations at a position', () => {
  const { lines } = layOutCurve(
    [point(0, 'test', 0.1), point(60, 'test', 0.2), point(0, 'unseen', 0.3)],
    'seconds',
    100,
    SIZE,
  );

  test.each([
    [0, [0.1, 0.3]],
    [59, [0.1, 0.3]],
    [60, [0.2, 0.3]],
  ])('after %i s is the last measurement of each split', (moment, rates) => {
    expect(latestAt(lines, 'seconds', moment).map(({ rate }) => rate)).toEqual(rates);
  });

  test('positions are those of all splits, unique and ascending', () => {
    expect(positionsOf([point(60, 'test'), point(0, 'train'), point(60, 'train')], 'seconds')).toEqual([
      0, 60,
    ]);
  });
});
