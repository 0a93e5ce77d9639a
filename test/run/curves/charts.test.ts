// Line charts and their axes: one chart, and laws for any values.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineChart } from '../../../runtime/run/curves/line-chart.ts';
import { pictureOf } from '../../../runtime/run/curves/picture.ts';
import { axisOf, formatNumber, formatValue, spreadLabels } from '../../../runtime/run/curves/svg.ts';
import { expectSoundSvg } from './sound-svg.ts';
import { pointAt, stateAt } from './states.ts';

const LINES = {
  ...{ title: 'Success <over> time', subtitle: 'on "test" worlds', description: 'From 0 to 90 %.' },
  x: { label: 'time', unit: 'seconds' },
  y: { label: 'solved', unit: 'share', max: 1 },
  curves: [
    {
      name: 'dart',
      points: [0, 60, 120].map(x => ({ x, y: x / 150, low: x / 160, high: x / 140 })),
      note: '80 %, 8 of 10',
    },
    { name: 'grpo & co', points: [0, 60, 120].map(x => ({ x, y: x / 200 })) },
  ],
} as const;

test('a line chart has its texts, and lines and a band in proportion to their values', () => {
  const svg = lineChart(LINES);
  expectSoundSvg(svg);
  for (const text of ['Success &lt;over&gt; time', 'grpo &amp; co', '80 %, 8 of 10', 'solved', '1:30'])
    expect(svg).toContain(text);
  const shapes = [...svg.matchAll(/points="([^"]+)"/g)].map(([, text = '']) =>
    text.split(' ').map(pair => pair.split(',').map(Number)),
  );
  const [band = [], dart = [], grpo = []] = shapes;
  const [[left = 0, bottom = 0] = []] = dart;
  const rises = (line: readonly (readonly number[])[]) => line.map(([, y = 0]) => bottom - y);
  const [, , top = 0] = rises(dart);
  // Values at 0, 60 and 120 s, as shares of the last value of the first line: 120 / 150.
  const shares = (divisor: number) =>
    [0, 60, 120].map(x => expect.closeTo((top * x * 150) / (120 * divisor), 0));
  expect(rises(dart)).toEqual(shares(150));
  expect(rises(grpo)).toEqual(shares(200));
  expect(rises(band)).toEqual([...shares(140), ...shares(160).toReversed()]);
  expect(dart.map(([x = 0]) => x - left)).toEqual([0, 1, 2].map(step => step * ((dart[1]?.[0] ?? 0) - left)));
});

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const points = fc.array(
  fc
    .tuple(fc.double({ min: 0, max: 1e5, noNaN: true }), number, fc.option(fc.nat(1000)))
    .map(([x, y, reach]) => ({ x, y, ...(reach !== null && { low: y - reach, high: y + reach }) })),
  { minLength: 1, maxLength: 12 },
);

test('a line chart of any values is sound and has one line per curve', () => {
  const curves = fc.array(fc.record({ name: fc.string(), points }), { maxLength: 9 });
  fc.assert(
    fc.property(curves, fc.constantFrom('share', 'seconds', 'number'), (curves, unit) => {
      const svg = lineChart({ ...LINES, x: { label: 'x', unit }, y: { label: 'y', unit }, curves });
      expectSoundSvg(svg);
      expect(svg.split('<polyline').length - 1).toBe(curves.length);
    }),
    { numRuns: 50 },
  );
});

test('a run without measurements has a chart without lines', () => {
  const svg = pictureOf(stateAt(0, []));
  expectSoundSvg(svg);
  expect(svg).not.toContain('polyline');
});

test.each([0.5, 12, 300, 3600, 86_400])('a run of %d seconds has a few times on its axis', of => {
  const times = pictureOf({ ...stateAt(0, []), of }).match(/>\d+:\d\d</g) ?? [];
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times.length).toBeLessThanOrEqual(8);
});

test('labels of curves that end close together keep apart', () => {
  const svg = pictureOf(stateAt(60, [pointAt(60, 0.5), pointAt(60, 0.5, 'train')]));
  const [one = 0, other = 0] = [...svg.matchAll(/y="([\d.]+)" class="name"/g)].map(match => Number(match[1]));
  expect(Math.abs(one - other)).toBeGreaterThanOrEqual(36);
});

test('an axis holds all values between its ends, with a few ticks', () => {
  const value = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), fc.integer({ min: 3, max: 6 }), (values, count) => {
      const { ticks, min, max } = axisOf(values, 'number', count);
      for (const each of values) {
        expect(each).toBeGreaterThanOrEqual(min - 1e-6 * (max - min));
        expect(each).toBeLessThanOrEqual(max + 1e-6 * (max - min));
      }
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(count + 3);
    }),
  );
});

test('an axis holds the values of a long run', () => {
  const values = Array.from({ length: 200_000 }, (_, index) => index - 1000);
  expect(axisOf(values, 'number', 4)).toMatchObject({ min: -50_000, max: 200_000 });
});

test.each([
  ['no values', [], [0, 1]],
  ['zeros', [0, 0], [0, 1]],
  ['one value', [40], [0, 40]],
  ['one negative value', [-3], [-3, 0]],
] as const)('an axis of %s has two ends', (_, values, [min, max]) => {
  expect(axisOf(values, 'number', 4)).toMatchObject({ min, max });
});

test.each([
  [0.957, 'share', '95.7 %'],
  [1, 'share', '100 %'],
  [90, 'seconds', '1:30'],
  [119.6, 'seconds', '2:00'],
  [12_345.6, 'number', '12,346'],
  [0.01234, 'number', '0.0123'],
  [-1500, 'number', '-1,500'],
] as const)('%d with unit %s is written as %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

test('a number keeps its significant digits', () => {
  expect([formatNumber(2547, 4), formatNumber(1.789, 4), formatNumber(0, 4)]).toEqual([
    '2,547',
    '1.789',
    '0',
  ]);
});

test('labels keep their order and distance, and stay within bounds where they fit', () => {
  const position = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(position, { maxLength: 10 }), positions => {
      const places = spreadLabels(positions, 10, 0, 100);
      const sorted = [...places].sort((a, b) => a - b);
      for (const [index, each] of sorted.entries())
        if (index > 0) expect(each - (sorted[index - 1] ?? Number.NaN)).toBeGreaterThanOrEqual(10 - 1e-9);
      for (const [index, each] of places.entries()) {
        expect(each).toBeGreaterThanOrEqual(-1e-9);
        expect(each).toBeLessThanOrEqual(100 + 1e-9);
        const before = positions[index] ?? Number.NaN;
        for (const [other, place] of places.entries())
          if (before < (positions[other] ?? Number.NaN)) expect(each).toBeLessThan(place);
      }
    }),
  );
  expect(spreadLabels([50, 10, 90], 20, 0, 100)).toEqual([50, 10, 90]);
});
