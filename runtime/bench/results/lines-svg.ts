// Curves over something that goes on, as a picture: a line for each, and a band where it has an interval. Pure: points in, SVG out.

import { fixed, keptApart, text } from '../../run/curves/svg.ts';
import { axisOf, said, type Unit } from './axis.ts';
import { curveClass, type Frame, framed } from './frame.ts';

interface LinePoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

export interface LineCurve {
  readonly name: string;
  readonly points: readonly LinePoint[];
}

interface Named {
  readonly label: string;
  readonly unit: Unit;
}

export interface Lines extends Frame {
  readonly x: Named;
  readonly y: Named;
  readonly curves: readonly LineCurve[];
}

const HEIGHT = 420;
const PLOT = { left: 76, right: 540, top: 106, bottom: 352 };
/** Of the names at the ends of lines, each with its last value below. */
const APART = 36;
/** Bands of more curves than these would hide one another. */
const MANY = 3;

export function linesSvg({ x, y, curves, ...frame }: Lines): string {
  const shown = curves.filter(({ points }) => points.length > 0);
  const all = shown.flatMap(({ points }) => points);
  const across = axisOf(
    all.map(point => point.x),
    x.unit,
    5,
    true,
  );
  const up = axisOf(
    all.flatMap(({ y: value, low = value, high = value }) => [value, low, high]),
    y.unit,
    4,
    true,
  );
  const place = (value: number) =>
    fixed(PLOT.left + ((value - across.least) / (across.most - across.least)) * (PLOT.right - PLOT.left));
  const height = (value: number) =>
    fixed(PLOT.bottom - ((value - up.least) / (up.most - up.least)) * (PLOT.bottom - PLOT.top));
  const labels = keptApart(
    shown.map(({ points }) => height(points.at(-1)?.y ?? 0)),
    APART,
    PLOT.top - 10,
    PLOT.bottom - 16,
  );
  const parts = [
    ...up.ticks.flatMap(value => [
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${height(value)}" y2="${height(value)}"/>`,
      text(PLOT.left - 10, height(value) + 4.5, said(value, y.unit), 'text-anchor="end"'),
    ]),
    ...across.ticks.flatMap(value => [
      `<line class="axis" x1="${place(value)}" x2="${place(value)}" y1="${PLOT.bottom}" y2="${PLOT.bottom + 5}"/>`,
      text(place(value), PLOT.bottom + 22, said(value, x.unit), 'text-anchor="middle"'),
    ]),
    `<line class="axis" x1="${PLOT.left}" x2="${PLOT.right}" y1="${PLOT.bottom}" y2="${PLOT.bottom}"/>`,
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 48, x.label, 'text-anchor="middle"'),
    text(24, PLOT.top - 18, y.label),
    // Bands lie under all lines.
    ...shown.map(({ points }, index) => band(points, index, place, height, shown.length > MANY)),
    ...shown.map(({ name, points }, index) => {
      const end = points.at(-1);
      const at = labels[index] ?? 0;
      return [
        `<g class="${curveClass(index)}">`,
        `  <polyline class="line" points="${points.map(point => `${place(point.x)},${height(point.y)}`).join(' ')}"/>`,
        `  <circle cx="${place(end?.x ?? 0)}" cy="${height(end?.y ?? 0)}" r="4"/>`,
        `  ${text(PLOT.right + 14, at, name, 'class="name"')}`,
        `  ${text(PLOT.right + 14, at + 16, said(end?.y ?? 0, y.unit))}`,
        '</g>',
      ].join('\n  ');
    }),
  ].filter(part => part !== '');
  return framed(frame, HEIGHT, parts);
}

function band(
  points: readonly LinePoint[],
  index: number,
  place: (x: number) => number,
  height: (y: number) => number,
  isOneOfMany: boolean,
): string {
  const known = points.flatMap(({ x, low, high }) =>
    low === undefined || high === undefined ? [] : [{ x, low, high }],
  );
  if (known.length < 2) return '';
  const upper = known.map(({ x, high }) => `${place(x)},${height(high)}`);
  const lower = known.map(({ x, low }) => `${place(x)},${height(low)}`).reverse();
  const faint = isOneOfMany ? ' style="opacity:0.06"' : '';
  return `<g class="${curveClass(index)}"><polygon class="band"${faint} points="${[...upper, ...lower].join(' ')}"/></g>`;
}
