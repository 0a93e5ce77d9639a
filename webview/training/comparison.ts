// The data of the run comparison: success on test worlds over one axis, and a table of differences. Pure.

import type { EvaluationPoint, RunState } from '../../runtime/protocol/daemon/state.ts';
import { COMPACT, formatPercent } from '../shared/labels.ts';
import type { CurveAxis } from './labels.ts';

export type ComparedRun = Pick<RunState, 'run' | 'curve' | 'about'>;

export interface OverlaidCurves {
  /** All positions on the axis with an evaluation of any run, ascending. */
  readonly positions: readonly number[];
  /** One value per position; null if the run has no evaluation there. */
  readonly runs: readonly {
    readonly run: string;
    readonly rate: readonly (number | null)[];
    readonly low: readonly (number | null)[];
    readonly high: readonly (number | null)[];
  }[];
}

export function overlayCurves(compared: readonly ComparedRun[], axis: CurveAxis): OverlaidCurves {
  const curves = compared.map(({ run, curve }) => {
    // The last evaluation at a position counts.
    const points = new Map<number, EvaluationPoint>();
    for (const point of curve) if (point.split === 'test') points.set(point[axis], point);
    return { run, points };
  });
  const positions = [...new Set(curves.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
  const runs = curves.map(({ run, points }) => {
    const of = (name: 'rate' | 'low' | 'high') =>
      positions.map(position => points.get(position)?.[name] ?? null);
    return { run, rate: of('rate'), low: of('low'), high: of('high') };
  });
  return { positions, runs };
}

const NAMES: Readonly<Record<keyof RunState['about'], string>> = {
  agent: 'Agent',
  desktops: 'Desktops',
  preset: 'Preset',
  mode: 'Observation',
  seed: 'Seed',
  tiers: 'Tiers',
  tasks: 'Tasks',
};

export interface ComparisonRow {
  readonly name: string;
  readonly values: readonly string[];
  readonly differs: boolean;
}

/** Values of absent fields. */
const DEFAULTS = { agent: COMPACT, desktops: 'pocket' };

/** Configuration and success of each run; the agent only if one of them has a model agent. `differs` marks rows whose values are not all equal. */
export function comparisonRows(compared: readonly ComparedRun[]): readonly ComparisonRow[] {
  const hasAgents = compared.some(({ about }) => about.agent !== undefined);
  const names = Object.entries(NAMES).filter(([key]) => key !== 'agent' || hasAgents);
  const about = names.map(([key, name]) => ({
    name,
    values: compared.map(each =>
      String(Object.entries({ ...DEFAULTS, ...each.about }).find(([found]) => found === key)?.[1] ?? ''),
    ),
  }));
  const last = compared.map(({ curve }) => {
    const point = curve.findLast(({ split }) => split === 'test');
    return point === undefined
      ? '–'
      : `${formatPercent(point.rate)} (${formatPercent(point.low)}–${formatPercent(point.high)})`;
  });
  const best = compared.map(({ curve }) => {
    const rates = curve.flatMap(({ split, rate }) => (split === 'test' ? rate : []));
    return rates.length === 0 ? '–' : formatPercent(Math.max(...rates));
  });
  return [...about, { name: 'Solved, latest', values: last }, { name: 'Solved, best', values: best }].map(
    row => ({
      ...row,
      differs: new Set(row.values).size > 1,
    }),
  );
}
