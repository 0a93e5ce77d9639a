// Pictures of outcomes: bar charts, and the selection of pictures.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barChart } from '../../../runtime/bench/results/bar-chart.ts';
import type { BenchPage } from '../../../runtime/bench/results/page-spec.ts';
import { PAGES } from '../../../runtime/bench/results/pages.ts';
import { picturesOf } from '../../../runtime/bench/results/pictures.ts';
import { expectSoundSvg } from '../../run/curves/sound-svg.ts';
import { PLAIN, points } from './outcomes.ts';

const BARS = {
  ...{ title: 'Success <over> time', subtitle: 'on "test" worlds', description: 'From 0 to 90 %.' },
  label: 'share of the time',
  unit: 'share',
  curves: [
    {
      name: 'workers',
      points: [
        { x: 'batch-wise', y: 0.3 },
        { x: 'rollout-wise', y: 0.8 },
      ],
    },
    { name: 'desktops', points: [{ x: 'rollout-wise', y: 0.9, low: 0.85, high: 0.93 }] },
  ],
} as const;

test('a bar chart has its texts, bars in proportion to their values, and intervals', () => {
  const svg = barChart(BARS);
  expectSoundSvg(svg);
  for (const text of [
    'Success &lt;over&gt; time',
    '&quot;test&quot; worlds',
    'batch-wise',
    'desktops',
    '90 %',
  ])
    expect(svg).toContain(text);
  const widths = [...svg.matchAll(/ {2}<rect class="bar"[^>]* width="([\d.]+)"/g)].map(match =>
    Number(match[1]),
  );
  const scale = (widths[0] ?? 0) / 0.3;
  expect(widths).toEqual([0.3, 0.8, 0.9].map(value => expect.closeTo(value * scale, 3)));
  const [, from, to] = /<line class="reach" x1="([\d.]+)" x2="([\d.]+)"/.exec(svg) ?? [];
  expect(Number(to) - Number(from)).toBeCloseTo(0.08 * scale, 3);
});

test('a bar chart of any values is sound and has one bar per value', () => {
  const curve = fc.record({ name: fc.string(), points });
  fc.assert(
    fc.property(fc.array(curve, { maxLength: 9 }), curves => {
      const bars = curves.map(({ name, points }) => ({
        name,
        points: points.map((point, index) => ({ ...point, x: `row ${index}` })),
      }));
      const svg = barChart({ ...BARS, curves: bars });
      expectSoundSvg(svg);
      const count = bars.reduce((sum, each) => sum + each.points.length, 0);
      expect(svg.split('  <rect class="bar"').length - 1).toBe(count);
    }),
    { numRuns: 50 },
  );
});

describe('an outcome has', () => {
  const ablation = PAGES.find(({ name }): boolean => name === 'curation-ablation');
  const filesOf = (...curves: readonly string[]) => {
    const series = Object.fromEntries(
      curves.map(name => [`success by environment steps/${name}`, [{ x: 1, y: 0.5 }]]),
    );
    const page: BenchPage = ablation ?? {
      name: '',
      title: '',
      about: '',
      command: '',
      figures: [],
      pictures: [],
    };
    return picturesOf(page, { ...PLAIN, series }).map(({ file }) => file);
  };

  test('the pictures whose series it has', () => {
    expect(filesOf()).toEqual([]);
    expect(filesOf('dart', 'grpo')).toEqual(['curation-ablation-success-by-environment-steps.svg']);
  });

  test('a picture of two curves only if it has both', () => {
    expect(filesOf('dart', 'grpo', 'no-alignment')).toContain('curation-ablation-alignment.svg');
    expect(filesOf('grpo', 'no-alignment')).not.toContain('curation-ablation-alignment.svg');
  });

  test('no two pictures in one file', () => {
    const files = PAGES.flatMap(({ name, pictures = [] }) =>
      pictures.map(({ file, series }) => `${name}-${file ?? series}`),
    );
    expect(new Set(files).size).toBe(files.length);
  });
});
