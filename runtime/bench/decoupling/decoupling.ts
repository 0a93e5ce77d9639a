// The decoupling benchmark: every schedule, way to synchronise and staleness bound K, in three simulated worlds. The scheduler is the
// real one under virtual time. With --real: three schedules with real policy workers on slowed pocket desktops, in real time.

import type { Benchmark, BenchOptions, BenchResult, Report } from '../report.ts';
import { type Measures, measuresOf, type Spent, sumOf } from './measures.ts';
import { REAL, REAL_SPAN, realTrial } from './real.ts';
import { scheduleName, virtualTrial } from './simulation.ts';
import { DECOUPLED, type Schedule, type TrialSpan } from './trial.ts';
import { DOCKER, PAPER, POCKET_LATENCY, type SimulatedWorld } from './worlds.ts';

const MINUTES = 4;

const MATRIX: readonly Schedule[] = [0, 1, 4].flatMap(versions =>
  (['batch-wise', 'task-wise', 'rollout-wise'] as const).flatMap(scheduling =>
    (['all-worker', 'per-worker'] as const).map(sync => ({ scheduling, sync, versions })),
  ),
);

/** The weakest coupled baseline: roll out, update, synchronise, and again. */
const BASELINE: Schedule = { scheduling: 'batch-wise', sync: 'all-worker', versions: 0 };
const REAL_MATRIX: readonly Schedule[] = [
  BASELINE,
  { scheduling: 'task-wise', sync: 'per-worker', versions: 1 },
  DECOUPLED,
];

/** Where steps take seconds, updates are rarer and more expensive. */
const WORLDS: readonly { readonly world: SimulatedWorld; readonly span: TrialSpan }[] = [
  { world: PAPER, span: { warmUp: 3, measured: 24 } },
  { world: DOCKER, span: { warmUp: 10, measured: 100 } },
  { world: POCKET_LATENCY, span: { warmUp: 10, measured: 50 } },
];

/** Up to this occupancy a baseline counts as idle as that of the paper (12.2 %). */
const MAX_IDLE_OCCUPANCY = 0.14;

export interface ScheduleRow extends Measures {
  readonly configuration: string;
}

interface WorldTrials {
  readonly name: string;
  readonly schedules: readonly Schedule[];
  readonly trial: (schedule: Schedule, seed: number) => Promise<Spent>;
}

export const decoupling: Benchmark = {
  name: 'decoupling',
  summary: 'gains of desktops, workers and trainer that run independently, in simulated time',
  run: (report, options) => {
    const trials = WORLDS.map(({ world, span }) => ({
      name: world.name,
      schedules: MATRIX,
      trial: (schedule: Schedule, seed: number) =>
        virtualTrial(world, schedule, shortened(span, options), seed),
    }));
    return compare(report, options, trials, { real: false, settings: WORLDS.map(({ world }) => world) });
  },
};

export const decouplingReal: Benchmark = {
  name: 'decoupling',
  variant: 'real',
  summary: 'three of the same schedules with real policy workers on slowed pocket desktops',
  run: (report, options) => {
    const trial = (schedule: Schedule, seed: number) =>
      realTrial(schedule, shortened(REAL_SPAN, options), seed);
    const trials = [{ name: REAL.name, schedules: REAL_MATRIX, trial }];
    return compare(report, options, trials, { real: true, settings: [REAL] });
  },
};

async function compare(
  report: Report,
  { seeds }: BenchOptions,
  trials: readonly WorldTrials[],
  config: Readonly<Record<string, unknown>>,
): Promise<BenchResult> {
  const parts = seeds * trials.reduce((sum, { schedules }) => sum + schedules.length, 0);
  const worlds: { readonly name: string; readonly rows: readonly ScheduleRow[] }[] = [];
  for (const { name, schedules, trial } of trials) {
    const rows: ScheduleRow[] = [];
    for (const schedule of schedules) {
      const configuration = scheduleName(schedule);
      const spent: Spent[] = [];
      for (let seed = 0; seed < seeds; seed++) {
        const part = `${name}: ${configuration}, seed ${seed}`;
        spent.push(await report.part(part, parts, () => trial(schedule, seed)));
      }
      rows.push({ configuration, ...measuresOf(sumOf(spent)) });
    }
    worlds.push({ name, rows });
  }
  return {
    figures: decouplingFigures(worlds.map(({ rows }) => rows)),
    config: {
      ...config,
      baseline: scheduleName(BASELINE),
      decoupled: scheduleName(DECOUPLED),
      worlds: Object.fromEntries(worlds.map(({ name, rows }) => [name, { rows }])),
    },
    series: Object.fromEntries(
      worlds.flatMap(({ name, rows }) => [
        [`${name}/workers used`, rows.map(row => ({ x: row.configuration, y: row.utilisation }))],
        [`${name}/desktops in an episode`, rows.map(row => ({ x: row.configuration, y: row.occupancy }))],
      ]),
    ),
  };
}

const shortened = ({ warmUp, measured }: TrialSpan, { minutes = MINUTES }: BenchOptions): TrialSpan => ({
  warmUp,
  measured: Math.max(2, Math.round(Math.min(1, minutes / MINUTES) * measured)),
});

type Gained = 'utilisation' | 'trained' | 'occupancy';

/**
 * The lowest gain of all worlds, against the baseline and against the strongest coupled schedule. Occupancy counts where the baseline
 * is as idle as that of the paper; elsewhere the share of the possible gain counts.
 */
export function decouplingFigures(worlds: readonly (readonly ScheduleRow[])[]) {
  const rowOf = (rows: readonly ScheduleRow[], schedule: Schedule): ScheduleRow => {
    const row = rows.find(({ configuration }) => configuration === scheduleName(schedule));
    if (row !== undefined) return row;
    throw new RangeError(`No trial of ${scheduleName(schedule)}. Add it to the matrix.`);
  };
  const lowest = (some: typeof worlds, value: (rows: readonly ScheduleRow[]) => number) =>
    Math.min(...some.map(value));
  const gain = (some: typeof worlds, measure: Gained) =>
    lowest(some, rows => rowOf(rows, DECOUPLED)[measure] / rowOf(rows, BASELINE)[measure]);
  const isCoupled = ({ configuration }: ScheduleRow) => !configuration.startsWith(DECOUPLED.scheduling);
  const gainOverBest = (some: typeof worlds, measure: Gained) =>
    lowest(some, rows => {
      const best = Math.max(...rows.filter(isCoupled).map(row => row[measure]));
      return rowOf(rows, DECOUPLED)[measure] / best;
    });
  const isIdle = (rows: readonly ScheduleRow[]) => rowOf(rows, BASELINE).occupancy <= MAX_IDLE_OCCUPANCY;
  const [idle, busy] = [worlds.filter(isIdle), worlds.filter(rows => !isIdle(rows))];
  const [occupancyWorlds, otherWorlds] = [idle.length > 0 ? idle : worlds, busy.length > 0 ? busy : worlds];
  return {
    worker_utilisation_gain: gain(worlds, 'utilisation'),
    worker_utilisation_vs_best_coupled: gainOverBest(worlds, 'utilisation'),
    throughput_gain: gain(worlds, 'trained'),
    throughput_vs_best_coupled: gainOverBest(worlds, 'trained'),
    environment_occupancy_gain: gain(occupancyWorlds, 'occupancy'),
    environment_occupancy_vs_best_coupled: gainOverBest(occupancyWorlds, 'occupancy'),
    // No desktop can hold an episode for more than all of its time, so the possible gain is 1 / baseline.
    share_of_possible_gain: lowest(otherWorlds, rows => rowOf(rows, DECOUPLED).occupancy),
  };
}
