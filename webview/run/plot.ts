// Where the points of a success curve lie on a drawing of a given size. Pure: points in, paths out.

import type { CurvePoint } from '../../runtime/protocol/daemon/state.ts';
import { SPLITS } from './words.ts';

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
  readonly x: (seconds: number) => number;
  readonly y: (rate: number) => number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `of` is how long the whole run takes: the empty part of the drawing is the time that is left. */
export function plotted(curve: readonly CurvePoint[], of: number, { width, height }: Size): Plot {
  const box = { left: 46, right: width - 14, top: 10, bottom: height - 26 };
  const length = Math.max(of, ...curve.map(({ seconds }) => seconds), 1);
  const x = (seconds: number) => tenth(box.left + (seconds / length) * (box.right - box.left));
  const y = (rate: number) => tenth(box.bottom - rate * (box.bottom - box.top));
  const lines = SPLITS.flatMap(split => {
    const points = curve.filter(each => each.split === split).sort((a, b) => a.seconds - b.seconds);
    if (points.length === 0) return [];
    const upper = points.map(({ seconds, high }) => `${x(seconds)} ${y(high)}`);
    const lower = points.map(({ seconds, low }) => `${x(seconds)} ${y(low)}`).reverse();
    const path = `M${points.map(({ seconds, rate }) => `${x(seconds)} ${y(rate)}`).join('L')}`;
    return [{ split, points, path, band: `M${[...upper, ...lower].join('L')}Z` }];
  });
  const most = Math.max(2, Math.floor((box.right - box.left) / 90));
  return { box, lines, ticks: ticksOf(length, most), x, y };
}

/** Round moments, at most so many of them after the start. */
function ticksOf(length: number, most: number): readonly number[] {
  const step = STEPS.find(each => length / each <= most) ?? Math.ceil(length / most / 3600) * 3600;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];

/** Every moment at which anything was measured, in order. */
export const momentsOf = (curve: readonly CurvePoint[]): readonly number[] =>
  [...new Set(curve.map(({ seconds }) => seconds))].sort((a, b) => a - b);

/** What was known at a moment: of each split the last measurement until then. */
export const knownAt = (lines: readonly Line[], moment: number): readonly CurvePoint[] =>
  lines.flatMap(({ points }) => points.findLast(({ seconds }) => seconds <= moment) ?? []);

/** A tenth of a pixel is seen by nobody. */
const tenth = (number: number): number => Math.round(10 * number) / 10;
