// A line chart as SVG: one line per curve, with a band where it has an interval. Pure: points in, SVG text out.

import {
  type Axis,
  type AxisUnit,
  axisOf,
  type ChartFrame,
  curveClass,
  fixed,
  formatValue,
  framed,
  spreadLabels,
  text,
} from './svg.ts';

interface LinePoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

export interface LineCurve {
  readonly name: string;
  readonly points: readonly LinePoint[];
  /** The text below the name at the end of the line; without it the last value. */
  readonly note?: string;
}

export interface ChartAxis {
  readonly label: string;
  readonly unit: AxisUnit;
  /** The axis reaches at least this value. */
  readonly max?: number;
}

export interface LineChart extends ChartFrame {
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly curves: readonly LineCurve[];
}

const HEIGHT = 420;
const PLOT = { left: 76, right: 540, top: 106, bottom: 352 };
const LABEL_DISTANCE = 36;
/** With more curves than these, bands are drawn fainter. */
const MAX_FULL_BANDS = 3;

type Scale = (value: number) => number;

export function lineChart({ x, y, curves, ...frame }: LineChart): string {
  const drawn = curves.flatMap(curve => {
    const last = curve.points.at(-1);
    return last === undefined ? [] : [{ ...curve, last }];
  });
  const all = drawn.flatMap(({ points }) => points);
  const xs = all.map(point => point.x);
  const ys = all.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const [across, up] = [axisFor(x, xs, 5), axisFor(y, ys, 4)];
  const left = scale(across, PLOT.left, PLOT.right);
  const top = scale(up, PLOT.bottom, PLOT.top);
  const ends = drawn.map(({ last }) => top(last.y));
  const labels = spreadLabels(ends, LABEL_DISTANCE, PLOT.top - 10, PLOT.bottom - 16);
  return framed(frame, HEIGHT, [
    ...up.ticks.flatMap(value => [
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${top(value)}" y2="${top(value)}"/>`,
      text(PLOT.left - 10, top(value) + 4.5, formatValue(value, y.unit), 'text-anchor="end"'),
    ]),
    ...across.ticks.flatMap(value => [
      `<line class="axis" x1="${left(value)}" x2="${left(value)}" y1="${PLOT.bottom}" y2="${PLOT.bottom + 5}"/>`,
      text(left(value), PLOT.bottom + 22, formatValue(value, x.unit), 'text-anchor="middle"'),
    ]),
    `<line class="axis" x1="${PLOT.left}" x2="${PLOT.right}" y1="${PLOT.bottom}" y2="${PLOT.bottom}"/>`,
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 48, x.label, 'text-anchor="middle"'),
    text(24, PLOT.top - 18, y.label),
    // Bands lie under all lines.
    ...drawn.flatMap(({ points }, index) => band(points, index, left, top, drawn.length > MAX_FULL_BANDS)),
    ...drawn.map(({ name, points, note, last }, index) =>
      [
        `<g class="${curveClass(index)}">`,
        `  <polyline class="line" points="${points.map(point => `${left(point.x)},${top(point.y)}`).join(' ')}"/>`,
        `  <circle cx="${left(last.x)}" cy="${top(last.y)}" r="4"/>`,
        `  ${text(PLOT.right + 14, labels[index] ?? top(last.y), name, 'class="name"')}`,
        `  ${text(PLOT.right + 14, (labels[index] ?? top(last.y)) + 16, note ?? formatValue(last.y, y.unit))}`,
        '</g>',
      ].join('\n  '),
    ),
  ]);
}

const axisFor = ({ unit, max }: ChartAxis, values: readonly number[], count: number): Axis =>
  axisOf(max === undefined ? values : [...values, max], unit, count);

const scale =
  ({ min, max }: Axis, from: number, to: number): Scale =>
  value =>
    fixed(from + ((value - min) / (max - min)) * (to - from));

function band(
  points: readonly LinePoint[],
  index: number,
  left: Scale,
  top: Scale,
  isFaint: boolean,
): readonly string[] {
  const measured = points.flatMap(({ x, low, high }) =>
    low === undefined || high === undefined ? [] : [{ x, low, high }],
  );
  if (measured.length < 2) return [];
  const upper = measured.map(({ x, high }) => `${left(x)},${top(high)}`);
  const lower = measured.map(({ x, low }) => `${left(x)},${top(low)}`).reverse();
  const style = isFaint ? ' style="opacity:0.06"' : '';
  return [
    `<g class="${curveClass(index)}"><polygon class="band"${style} points="${[...upper, ...lower].join(' ')}"/></g>`,
  ];
}
