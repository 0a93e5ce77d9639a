// Where the points of a success curve lie on a drawing of a given size. Pure: points in, paths out.

import type { CurvePoint } from '../../runtime/protocol/daemon/state.ts';
import { type Axis, SPLITS } from './words.ts';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Line {
  readonly split: CurvePoint['split'];
  readonly points: readonly CurvePoint[];
  readonly path: string;
  /** Around the line: where it would come to lie 95 times in 100. */
  readonly band: string;
}

export interface Plot {
  readonly box: Box;
  /** Those that were measured at all. */
  readonly lines: readonly Line[];
  readonly ticks: readonly number[];
  /** Of a place on the axis. */
  readonly x: (place: number) => number;
  readonly y: (rate: number) => number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `of` is how far the axis reaches in any case, as over time: the empty part of the drawing is what is left of the run. */
export function plotted(curve: readonly CurvePoint[], over: Axis, of: number, { width, height }: Size): Plot {
  const box = { left: 46, right: width - 14, top: 10, bottom: height - 26 };
  const length = Math.max(of, ...curve.map(point => point[over]), 1);
  const x = (place: number) => tenth(box.left + (place / length) * (box.right - box.left));
  const y = (rate: number) => tenth(box.bottom - rate * (box.bottom - box.top));
  const lines = SPLITS.flatMap(split => {
    const points = curve.filter(each => each.split === split).sort((a, b) => a[over] - b[over]);
    if (points.length === 0) return [];
    const upper = points.map(point => `${x(point[over])} ${y(point.high)}`);
    const lower = points.map(point => `${x(point[over])} ${y(point.low)}`).reverse();
    const path = `M${points.map(point => `${x(point[over])} ${y(point.rate)}`).join('L')}`;
    return [{ split, points, path, band: `M${[...upper, ...lower].join('L')}Z` }];
  });
  const most = Math.max(2, Math.floor((box.right - box.left) / 90));
  return { box, lines, ticks: ticksOf(length, most, over === 'seconds' ? MOMENTS : NUMBERS), x, y };
}

/** Round places, at most so many of them after the start. */
function ticksOf(length: number, most: number, steps: readonly number[]): readonly number[] {
  const coarsest = steps.at(-1) ?? 1;
  const step = steps.find(each => length / each <= most) ?? Math.ceil(length / most / coarsest) * coarsest;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

/** Seconds, up to four hours. */
const MOMENTS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];
/** Up to a million. */
const NUMBERS = Array.from({ length: 7 }, (_, zeros) => [1, 2, 5].map(digit => digit * 10 ** zeros)).flat();

/** Every place on the axis at which anything was measured, in order. */
export const placesOf = (curve: readonly CurvePoint[], over: Axis): readonly number[] =>
  [...new Set(curve.map(point => point[over]))].sort((a, b) => a - b);

/** What was known at a place: of each split the last measurement until then. */
export const knownAt = (lines: readonly Line[], over: Axis, place: number): readonly CurvePoint[] =>
  lines.flatMap(({ points }) => points.findLast(point => point[over] <= place) ?? []);

/** A tenth of a pixel is seen by nobody. */
const tenth = (number: number): number => Math.round(10 * number) / 10;
