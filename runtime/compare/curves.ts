// Success curves over steps, time and cost. Runs of one arm become a mean with an interval over their seeds. Pure.

import { studentT } from '../data/interval.ts';
import { type ComparedArm, runsOf } from './arms.ts';
import type { ArmCurve, CurveOver, CurvePosition, SuccessCurves } from './comparison.ts';
import { CURVE_OVER } from './comparison.ts';
import type { RecordedRun } from './record.ts';

/** Over cost only where two arms or one run have recorded it. Steps and time are always present. */
export function successCurves(arms: readonly ComparedArm[]): readonly SuccessCurves[] {
  return CURVE_OVER.flatMap(over => {
    const curves = arms.flatMap(arm => {
      const curve = armCurve(arm, over);
      return curve === undefined ? [] : [curve];
    });
    const shown = new Set(curves.flatMap(({ members }) => members.map(({ run }) => run)));
    const without = arms.flatMap(runsOf).flatMap(({ name }) => (shown.has(name) ? [] : [name]));
    return curves.length === 0 ? [] : [{ over, arms: curves, without }];
  });
}

function armCurve(arm: ComparedArm, over: CurveOver): ArmCurve | undefined {
  const members = runsOf(arm).flatMap(run => {
    const points = pointsOf(run, over);
    return points.length === 0 ? [] : [{ run: run.name, points }];
  });
  const [first] = members;
  if (first === undefined) return undefined;
  const mean = members.length === 1 ? first.points : meanCurve(members.map(({ points }) => points));
  return { arm: arm.letter, mean, members };
}

/** Ascending, one per position: the last evaluation there counts. An evaluation without recorded cost is left out. */
function pointsOf({ curve }: RecordedRun, over: CurveOver): readonly CurvePosition[] {
  const points = new Map<number, CurvePosition>();
  for (const { rate, low, high, trials, cost, ...point } of curve) {
    const x = over === 'tokens' || over === 'money' ? cost[over] : point[over];
    if (x !== undefined && trials > 0) points.set(x, { x, rate, low, high });
  }
  return [...points.values()].sort((a, b) => a.x - b.x);
}

/**
 * At every evaluation of any curve inside the range that all of them cover, by linear interpolation between evaluations. The interval is
 * Student's over the curves: it has the variance between seeds, which contains that of the evaluations.
 */
export function meanCurve(curves: readonly (readonly CurvePosition[])[]): readonly CurvePosition[] {
  const from = Math.max(...curves.map(points => points[0]?.x ?? Number.POSITIVE_INFINITY));
  const to = Math.min(...curves.map(points => points.at(-1)?.x ?? Number.NEGATIVE_INFINITY));
  const positions = new Set(curves.flatMap(points => points.map(({ x }) => x)));
  return [...positions]
    .filter(x => x >= from && x <= to)
    .sort((a, b) => a - b)
    .map(x => ({ x, ...meanOf(curves.map(points => rateAt(points, x))) }));
}

/** The mean of rates with its 95 % interval; one rate has none. */
export function meanOf(rates: readonly number[]): Omit<CurvePosition, 'x'> {
  const count = rates.length;
  const rate = rates.reduce((sum, each) => sum + each, 0) / count;
  if (count < 2) return { rate };
  const half = studentT(count - 1) * standardError(rates);
  return { rate, low: Math.max(0, rate - half), high: Math.min(1, rate + half) };
}

/** Of the mean; NaN for a single value. */
export function standardError(values: readonly number[]): number {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** `x` lies between the first and the last point. */
function rateAt(points: readonly CurvePosition[], x: number): number {
  const after = points.find(point => point.x >= x);
  const before = points.findLast(point => point.x <= x);
  if (after === undefined || before === undefined) return (after ?? before)?.rate ?? Number.NaN;
  if (after.x === before.x) return before.rate;
  return before.rate + ((x - before.x) / (after.x - before.x)) * (after.rate - before.rate);
}
