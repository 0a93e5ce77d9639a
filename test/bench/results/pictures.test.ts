// Pictures of outcomes: golden ones, and what must hold of any.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASKED } from '../../../runtime/bench/results/asked/all.ts';
import { ablation } from '../../../runtime/bench/results/asked/curation.ts';
import { axisOf, plain, said } from '../../../runtime/bench/results/axis.ts';
import { barsSvg } from '../../../runtime/bench/results/bars-svg.ts';
import { linesSvg } from '../../../runtime/bench/results/lines-svg.ts';
import { picturesOf } from '../../../runtime/bench/results/pictures.ts';
import { keptApart } from '../../../runtime/run/curves/svg.ts';
import { PLAIN, points } from './outcomes.ts';

const FRAME = { title: 'Success <over> time', subtitle: 'on "test" worlds', description: 'From 0 to 90 %.' };
const LINES = {
  ...FRAME,
  x: { label: 'time', unit: 'seconds' },
  y: { label: 'solved', unit: 'share' },
  curves: [
    {
      name: 'dart',
      points: [0, 60, 120].map(x => ({ x, y: x / 150, low: x / 160, high: x / 140 })),
    },
    { name: 'grpo & co', points: [0, 60, 120].map(x => ({ x, y: x / 200 })) },
  ],
} as const;
const BARS = {
  ...FRAME,
  label: 'share of the time',
  unit: 'share',
  curves: [
    {
      name: 'workers',
      bars: [
        { of: 'batch-wise', value: 0.3 },
        { of: 'rollout-wise', value: 0.8 },
      ],
    },
    { name: 'desktops', bars: [{ of: 'rollout-wise', value: 0.9, low: 0.85, high: 0.93 }] },
  ],
} as const;

test('curves are drawn as they were', async () => {
  await expect(linesSvg(LINES)).toMatchFileSnapshot('./golden/lines.svg');
});

test('bars are drawn as they were', async () => {
  await expect(barsSvg(BARS)).toMatchFileSnapshot('./golden/bars.svg');
});

describe('which pictures there are', () => {
  const drawn = (...curves: readonly string[]) => {
    const series = Object.fromEntries(
      curves.map(name => [`success by environment steps/${name}`, [{ x: 1, y: 0.5 }]]),
    );
    return picturesOf(ablation, { ...PLAIN, series }).map(({ file }) => file);
  };

  test('those whose series came', () => {
    expect(drawn()).toEqual([]);
    expect(drawn('dart', 'grpo')).toEqual(['curation-ablation-success-by-environment-steps.svg']);
  });

  test('of two curves alone where both are there', () => {
    expect(drawn('dart', 'grpo', 'no-alignment')).toContain('curation-ablation-alignment.svg');
    expect(drawn('grpo', 'no-alignment')).not.toContain('curation-ablation-alignment.svg');
  });

  test('none has the file of another', () => {
    const files = ASKED.flatMap(({ name, pictures }) =>
      pictures.map(picture => `${name}-${picture.file ?? picture.name}`),
    );
    expect(new Set(files).size).toBe(files.length);
  });
});

describe('whatever is drawn', () => {
  const named = fc.array(fc.record({ name: fc.string(), points }), { maxLength: 9 });
  const sound = (svg: string) => {
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    // Every tag that opens closes, in its order, and no name opens one.
    const open: string[] = [];
    for (const [, end, name, alone] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/gs))
      if (end === '/') expect(open.pop()).toBe(name);
      else if (alone !== '/' && name !== undefined) open.push(name);
    expect(open).toEqual([]);
    expect(svg).toContain('<title id="title">Success &lt;over&gt; time</title>');
  };

  test('curves are a sound picture, the same each time', () => {
    fc.assert(
      fc.property(named, fc.constantFrom('share', 'seconds', 'number'), (curves, unit) => {
        const lines = { ...LINES, x: { label: 'x', unit }, y: { label: 'y', unit }, curves } as const;
        sound(linesSvg(lines));
        expect(linesSvg(lines)).toBe(linesSvg(lines));
        expect(linesSvg(lines).split('<polyline').length - 1).toBe(curves.length);
      }),
      { numRuns: 50 },
    );
  });

  test('bars are a sound picture, with one for each value', () => {
    fc.assert(
      fc.property(named, curves => {
        const bars = curves.map(({ name, points }) => ({
          name,
          bars: points.map(({ y: value, ...reach }, index) => ({ of: `row ${index}`, value, ...reach })),
        }));
        const svg = barsSvg({ ...BARS, curves: bars });
        sound(svg);
        const drawn = svg.match(/ {2}<rect class="bar"/g)?.length ?? 0;
        expect(drawn).toBe(bars.reduce((sum, each) => sum + each.bars.length, 0));
      }),
      { numRuns: 50 },
    );
  });
});

test('an axis holds all values between its ends, with a handful of ticks between', () => {
  const value = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), fc.integer({ min: 3, max: 6 }), (values, about) => {
      const { ticks, least, most } = axisOf(values, 'number', about, true);
      for (const each of values) {
        expect(each).toBeGreaterThanOrEqual(least - 1e-6 * (most - least));
        expect(each).toBeLessThanOrEqual(most + 1e-6 * (most - least));
      }
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(about + 3);
    }),
  );
});

test.each([
  ['nothing', [], [0, 1]],
  ['zeros', [0, 0], [0, 1]],
  ['one value', [40], [0, 40]],
  ['one below zero', [-3], [-3, 0]],
] as const)('an axis of %s has two ends', (_, values, [least, most]) => {
  expect(axisOf(values, 'number', 4, true)).toMatchObject({ least, most });
});

test.each([
  [0.957, 'share', '95.7 %'],
  [1, 'share', '100 %'],
  [90, 'seconds', '1:30'],
  [12_345.6, 'number', '12,346'],
  [0.01234, 'number', '0.0123'],
  [-1500, 'number', '-1,500'],
] as const)('%d as %s is said as %s', (value, unit, text) => {
  expect(said(value, unit)).toBe(text);
});

test('a number keeps its digits', () => {
  expect([plain(2547, 4), plain(1.789, 4), plain(0, 4)]).toEqual(['2,547', '1.789', '0']);
});

test('labels keep their order and their distance, within bounds where they fit', () => {
  const place = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 10 }), wanted => {
      const kept = keptApart(wanted, 10, 0, 100);
      const sorted = [...kept].sort((a, b) => a - b);
      for (const [index, each] of sorted.entries())
        if (index > 0) expect(each - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(10 - 1e-9);
      for (const [index, each] of kept.entries()) {
        expect(each).toBeGreaterThanOrEqual(-1e-9);
        expect(each).toBeLessThanOrEqual(100 + 1e-9);
        for (const [other, place] of kept.entries())
          if ((wanted[index] ?? 0) < (wanted[other] ?? 0)) expect(each).toBeLessThan(place);
      }
    }),
  );
});

test('what is far enough apart stays where it is', () => {
  expect(keptApart([50, 10, 90], 20, 0, 100)).toEqual([50, 10, 90]);
});
