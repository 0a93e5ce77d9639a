// A bar chart as SVG: one row per thing that is compared, one bar per curve in it. Pure: values in, SVG text out.

import {
  type AxisUnit,
  axisOf,
  CHART_WIDTH,
  type ChartFrame,
  curveClass,
  fixed,
  formatValue,
  framed,
  text,
} from '../../run/curves/svg.ts';
import type { SeriesPoint } from './outcome.ts';

/** A curve has at most one bar in each row; its `x` is the name of the row. */
export interface BarChart extends ChartFrame {
  readonly label: string;
  readonly unit: AxisUnit;
  readonly curves: readonly { readonly name: string; readonly points: readonly SeriesPoint[] }[];
}

const [LEFT, RIGHT, TOP] = [236, 676, 104];
const BAR_HEIGHT = 12;
const ROW_GAP = 12;
const MARGIN = 24;

export function barChart({ label, unit, curves, ...frame }: BarChart): string {
  const all = curves.flatMap(({ points }) => points);
  const rows = [...new Set(all.map(({ x }) => String(x)))];
  const values = all.flatMap(({ y, high }) => [y, high ?? y]);
  const { ticks, min, max } = axisOf(values, unit, 4);
  const left = (value: number) => fixed(LEFT + ((value - min) / (max - min)) * (RIGHT - LEFT));
  const rowHeight = curves.length * BAR_HEIGHT + ROW_GAP;
  const bottom = TOP + rows.length * rowHeight;
  const barOf = ({ y: value, low, high }: SeriesPoint, index: number, y: number): string => {
    const [from, to] = [left(Math.min(0, value)), left(Math.max(0, value))];
    const range =
      low === undefined || high === undefined
        ? []
        : [`  <line class="reach" x1="${left(low)}" x2="${left(high)}" y1="${y + 5}" y2="${y + 5}"/>`];
    return [
      `<g class="${curveClass(index)}">`,
      `  <rect class="bar" x="${from}" y="${y}" width="${fixed(to - from)}" height="${BAR_HEIGHT - 2}" rx="1.5"/>`,
      ...range,
      `  ${text(left(Math.max(value, high ?? value)) + 6, y + 9, formatValue(value, unit), 'style="font-size:11px"')}`,
      '</g>',
    ].join('\n  ');
  };
  return framed(frame, bottom + 64, [
    ...legend(curves.map(({ name }) => name)),
    ...ticks.flatMap(value => [
      `<line class="grid" x1="${left(value)}" x2="${left(value)}" y1="${TOP}" y2="${bottom}"/>`,
      text(left(value), bottom + 20, formatValue(value, unit), 'text-anchor="middle"'),
    ]),
    text((LEFT + RIGHT) / 2, bottom + 44, label, 'text-anchor="middle"'),
    ...rows.flatMap((row, rowIndex) => {
      const top = TOP + rowIndex * rowHeight + ROW_GAP / 2;
      const bars = curves.flatMap(({ points }, index) =>
        points
          .filter(({ x }) => String(x) === row)
          .map(point => barOf(point, index, top + index * BAR_HEIGHT)),
      );
      return [
        text(LEFT - 12, top + (curves.length * BAR_HEIGHT) / 2 + 4.5, row, 'text-anchor="end"'),
        ...bars,
      ];
    }),
    `<line class="axis" x1="${left(0)}" x2="${left(0)}" y1="${TOP}" y2="${bottom}"/>`,
  ]);
}

/** A single curve needs no legend: the axis names it. */
function legend(names: readonly string[]): readonly string[] {
  if (names.length < 2) return [];
  const width = (CHART_WIDTH - 2 * MARGIN) / names.length;
  return names.map((name, index) => {
    const x = MARGIN + index * width;
    return `<g class="${curveClass(index)}"><rect class="bar" x="${fixed(x)}" y="75" width="12" height="12" rx="1.5"/>${text(x + 19, 86, name, 'class="name"')}</g>`;
  });
}
