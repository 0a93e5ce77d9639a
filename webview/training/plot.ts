// The geometry of the success curve: points in, SVG paths out. Pure.

import type { EvaluationPoint } from '../../runtime/protocol/daemon/state.ts';
import { CURVE_SPLITS, type CurveAxis } from './labels.ts';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface CurveLine {
  readonly split: EvaluationPoint['split'];
  readonly points: readonly EvaluationPoint[];
  readonly path: string;
  /** The outline of the 95 % interval. */
  readonly band: string;
}

export interface CurvePlot {
  readonly box: Box;
  /** One per split with at least one evaluation. */
  readonly lines: readonly CurveLine[];
  readonly ticks: readonly number[];
  /** The x coordinate of a position on the axis. */
  readonly x: (position: number) => number;
  readonly y: (rate: number) => number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `minLength` is the minimum length of the axis: over time, the empty part is the training time that is left. */
export function layOutCurve(
  curve: readonly EvaluationPoint[],
  over: CurveAxis,
  minLength: number,
  { width, height }: Size,
): CurvePlot {
  const box = { left: 46, right: width - 14, top: 10, bottom: height - 26 };
  const length = Math.max(minLength, ...curve.map(point => point[over]), 1);
  const x = (position: number) => roundToTenth(box.left + (position / length) * (box.right - box.left));
  const y = (rate: number) => roundToTenth(box.bottom - rate * (box.bottom - box.top));
  const lines = CURVE_SPLITS.flatMap(split => {
    const points = curve.filter(each => each.split === split).sort((a, b) => a[over] - b[over]);
    if (points.length === 0) return [];
    const upper = points.map(point => `${x(point[over])} ${y(point.high)}`);
    const lower = points.map(point => `${x(point[over])} ${y(point.low)}`).reverse();
    const path = `M${points.map(point => `${x(point[over])} ${y(point.rate)}`).join('L')}`;
    return [{ split, points, path, band: `M${[...upper, ...lower].join('L')}Z` }];
  });
  const maxTicks = Math.max(2, Math.floor((box.right - box.left) / 90));
  return {
    box,
    lines,
    ticks: ticksOf(length, maxTicks, over === 'seconds' ? TIME_STEPS : COUNT_STEPS),
    x,
    y,
  };
}

/** Round positions, at most `maxTicks` after the start. */
function ticksOf(length: number, maxTicks: number, steps: readonly number[]): readonly number[] {
  const coarsest = steps.at(-1) ?? 1;
  const step =
    steps.find(each => length / each <= maxTicks) ?? Math.ceil(length / maxTicks / coarsest) * coarsest;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

/** Tick distances in seconds, up to four hours. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];
/** Tick distances of counts, up to a million. */
const COUNT_STEPS = Array.from({ length: 7 }, (_, zeros) =>
  [1, 2, 5].map(digit => digit * 10 ** zeros),
).flat();

/** False if a chart has to be drawn again. The curve of a long run is thinned: a new point may replace the last one. */
export const isSameCurve = (one: readonly EvaluationPoint[], other: readonly EvaluationPoint[]): boolean =>
  one.length === other.length && one.at(-1)?.seconds === other.at(-1)?.seconds;

/** All positions with an evaluation, ascending. */
export const positionsOf = (curve: readonly EvaluationPoint[], over: CurveAxis): readonly number[] =>
  [...new Set(curve.map(point => point[over]))].sort((a, b) => a - b);

/** The last evaluation of each split up to a position. */
export const latestAt = (
  lines: readonly CurveLine[],
  over: CurveAxis,
  position: number,
): readonly EvaluationPoint[] =>
  lines.flatMap(({ points }) => points.findLast(point => point[over] <= position) ?? []);

const roundToTenth = (number: number): number => Math.round(10 * number) / 10;
