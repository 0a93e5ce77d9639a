// A line chart as SVG: one line per curve, with a band where it has an interval. Pure: points in, SVG text out.

import {
  type Axis,
  type AxisUnit,
  axisOf,
  CHART_WIDTH,
  type ChartFrame,
  curveClass,
  fixed,
  formatValue,
  framed,
  spreadLabels,
  text,
} from './svg.ts';

export interface LinePoint {
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
  /** Thin lines without labels: the parts whose mean this curve is. */
  readonly members?: readonly (readonly LinePoint[])[];
  /** Its colour and dashes; by default its position. */
  readonly colour?: number;
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
  readonly layout?: ChartLayout;
}

/** In pixels. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly plot: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
}

const LAYOUT: ChartLayout = {
  width: CHART_WIDTH,
  height: 420,
  plot: { left: 76, right: 540, top: 106, bottom: 352 },
};
const LABEL_DISTANCE = 36;
/** With more curves than these, bands are drawn fainter. */
const MAX_FULL_BANDS = 3;

type Scale = (value: number) => number;

export function lineChart({ x, y, curves, layout = LAYOUT, ...frame }: LineChart): string {
  const { width, height, plot } = layout;
  const drawn = curves.flatMap(({ colour, members = [], ...curve }, index) => {
    const last = curve.points.at(-1) ?? members.flat().at(-1);
    return last === undefined ? [] : [{ ...curve, members, last, colour: curveClass(colour ?? index) }];
  });
  const all = drawn.flatMap(({ points, members }) => [...points, ...members.flat()]);
  const xs = all.map(point => point.x);
  const ys = all.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const [across, up] = [axisFor(x, xs, 5), axisFor(y, ys, 4)];
  const left = scale(across, plot.left, plot.right);
  const top = scale(up, plot.bottom, plot.top);
  const ends = drawn.map(({ last }) => top(last.y));
  const labels = spreadLabels(ends, LABEL_DISTANCE, plot.top - 10, plot.bottom - 16);
  return framed(
    frame,
    height,
    [
      ...up.ticks.flatMap(value => [
        `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${top(value)}" y2="${top(value)}"/>`,
        text(plot.left - 10, top(value) + 4.5, formatValue(value, y.unit), 'text-anchor="end"'),
      ]),
      ...across.ticks.flatMap(value => [
        `<line class="axis" x1="${left(value)}" x2="${left(value)}" y1="${plot.bottom}" y2="${plot.bottom + 5}"/>`,
        text(left(value), plot.bottom + 22, formatValue(value, x.unit), 'text-anchor="middle"'),
      ]),
      `<line class="axis" x1="${plot.left}" x2="${plot.right}" y1="${plot.bottom}" y2="${plot.bottom}"/>`,
      text((plot.left + plot.right) / 2, plot.bottom + 48, x.label, 'text-anchor="middle"'),
      text(24, plot.top - 18, y.label),
      // Bands lie under all lines.
      ...drawn.flatMap(({ points, colour }) =>
        band(points, colour, left, top, drawn.length > MAX_FULL_BANDS),
      ),
      ...drawn.flatMap(({ members, colour }) =>
        members.map(
          points =>
            `<g class="${colour}"><polyline class="line member" points="${pathOf(points, left, top)}"/></g>`,
        ),
      ),
      ...drawn.map(({ name, points, note, last, colour }, index) =>
        [
          `<g class="${colour}">`,
          `  <polyline class="line" points="${pathOf(points, left, top)}"/>`,
          `  <circle cx="${left(last.x)}" cy="${top(last.y)}" r="4"/>`,
          `  ${text(plot.right + 14, labels[index] ?? top(last.y), name, 'class="name"')}`,
          `  ${text(plot.right + 14, (labels[index] ?? top(last.y)) + 16, note ?? formatValue(last.y, y.unit))}`,
          '</g>',
        ].join('\n  '),
      ),
    ],
    width,
  );
}

const pathOf = (points: readonly LinePoint[], left: Scale, top: Scale): string =>
  points.map(({ x, y }) => `${left(x)},${top(y)}`).join(' ');

const axisFor = ({ unit, max }: ChartAxis, values: readonly number[], count: number): Axis =>
  axisOf(max === undefined ? values : [...values, max], unit, count);

const scale =
  ({ min, max }: Axis, from: number, to: number): Scale =>
  value =>
    fixed(from + ((value - min) / (max - min)) * (to - from));

function band(
  points: readonly LinePoint[],
  colour: string,
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
    `<g class="${colour}"><polygon class="band"${style} points="${[...upper, ...lower].join(' ')}"/></g>`,
  ];
}
