// Several runs beside one another: their success on test worlds over one axis, and what is different about them. Pure.

import type { CurvePoint, RunState } from '../../runtime/protocol/daemon/state.ts';
import { percent } from '../shared/words.ts';
import type { Axis } from './words.ts';

export type Compared = Pick<RunState, 'run' | 'curve' | 'about'>;

export interface Overlaid {
  /** Every place on the axis at which any of them was measured, in order. */
  readonly places: readonly number[];
  /** At each place, null where that run was not measured there. */
  readonly runs: readonly {
    readonly run: string;
    readonly rate: readonly (number | null)[];
    readonly low: readonly (number | null)[];
    readonly high: readonly (number | null)[];
  }[];
}

export function overlaid(compared: readonly Compared[], axis: Axis): Overlaid {
  const curves = compared.map(({ run, curve }) => {
    // Of one place the last measurement counts.
    const points = new Map<number, CurvePoint>();
    for (const point of curve) if (point.split === 'test') points.set(point[axis], point);
    return { run, points };
  });
  const places = [...new Set(curves.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
  const runs = curves.map(({ run, points }) => {
    const of = (name: 'rate' | 'low' | 'high') => places.map(place => points.get(place)?.[name] ?? null);
    return { run, rate: of('rate'), low: of('low'), high: of('high') };
  });
  return { places, runs };
}

const NAMES: Readonly<Record<keyof RunState['about'], string>> = {
  desktops: 'Desktops',
  preset: 'Preset',
  mode: 'Sees',
  seed: 'Seed',
  tiers: 'Tiers',
  tasks: 'Tasks',
};

export interface Row {
  readonly name: string;
  readonly values: readonly string[];
  readonly differs: boolean;
}

/** What is not told of a run. */
const UNTOLD = { desktops: 'pocket' };

/** How they are set up and how far they came; what is not the same for all is marked. */
export function rowsOf(compared: readonly Compared[]): readonly Row[] {
  const about = Object.entries(NAMES).map(([key, name]) => ({
    name,
    values: compared.map(each =>
      String(Object.entries({ ...UNTOLD, ...each.about }).find(([found]) => found === key)?.[1] ?? ''),
    ),
  }));
  const last = compared.map(({ curve }) => {
    const point = curve.findLast(({ split }) => split === 'test');
    return point === undefined
      ? '–'
      : `${percent(point.rate)} (${percent(point.low)}–${percent(point.high)})`;
  });
  const best = compared.map(({ curve }) => {
    const rates = curve.flatMap(({ split, rate }) => (split === 'test' ? rate : []));
    return rates.length === 0 ? '–' : percent(Math.max(...rates));
  });
  return [...about, { name: 'Solved at last', values: last }, { name: 'Solved at best', values: best }].map(
    row => ({
      ...row,
      differs: new Set(row.values).size > 1,
    }),
  );
}
