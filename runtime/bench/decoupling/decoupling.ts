// The decoupling benchmark: every schedule, way to synchronise and staleness bound K, in three simulated worlds, with and without hangs.
// The scheduler is the real one under virtual time. With --real: four schedules with real policy workers on slowed pocket desktops, in real time.

import { certain, meanOf } from '../curation/statistics.ts';
import type { Benchmark, BenchOptions, BenchResult, Figures, Report } from '../report.ts';
import { lowestCapacity } from './capacity.ts';
import { type Measures, measuresOf, type Spent, sumOf } from './measures.ts';
import { REAL, REAL_SPAN, realTrial } from './real.ts';
import { scheduleName, virtualTrial } from './simulation.ts';
import { DECOUPLED, type Schedule, type TrialSpan } from './trial.ts';
import { calm, DOCKER, PAPER, POCKET_LATENCY, type SimulatedWorld } from './worlds.ts';

const MINUTES = 4;
const SEEDS = 3;

const MATRIX: readonly Schedule[] = [0, 1, 4].flatMap(versions => [
  ...(['batch-wise', 'task-wise', 'rollout-wise'] as const).flatMap(scheduling =>
    (['all-worker', 'per-worker'] as const).map(sync => ({ scheduling, sync, versions })),
  ),
  { scheduling: 'rollout-wise', sync: 'paced', versions } as const,
]);

/** The default of the product before workers were paced. */
const UNPACED: Schedule = { ...DECOUPLED, sync: 'per-worker' };
/** The weakest coupled baseline: roll out, update, synchronise, and again. */
const BASELINE: Schedule = { scheduling: 'batch-wise', sync: 'all-worker', versions: 0 };
const REAL_MATRIX: readonly Schedule[] = [
  BASELINE,
  { scheduling: 'task-wise', sync: 'per-worker', versions: 1 },
  { scheduling: 'rollout-wise', sync: 'all-worker', versions: 4 },
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

type Rows = readonly ScheduleRow[];

interface WorldTrials {
  readonly name: string;
  readonly schedules: readonly Schedule[];
  readonly trial: (schedule: Schedule, seed: number) => Promise<Spent>;
}

export const decoupling: Benchmark = {
  name: 'decoupling',
  seeds: SEEDS,
  isSpeedIndependent: true,
  summary: 'gains of desktops, workers and trainer that run independently, in simulated time',
  run: (report, options) => {
    const trials = [...WORLDS, ...WORLDS.map(({ world, span }) => ({ world: calm(world), span }))].map(
      ({ world, span }) => ({
        name: world.name,
        schedules: MATRIX,
        trial: (schedule: Schedule, seed: number) =>
          virtualTrial(world, schedule, shortened(span, options), seed),
      }),
    );
    const capacities = WORLDS.map(({ world }) => lowestCapacity(world));
    const figuresOf = (worlds: readonly Rows[]) =>
      simulatedFigures({
        ...{ hanging: worlds.slice(0, WORLDS.length), calm: worlds.slice(WORLDS.length), capacities },
      });
    const config = { real: false, settings: WORLDS.map(({ world }) => world), capacities };
    return compare(report, options, trials, config, figuresOf);
  },
};

export const decouplingReal: Benchmark = {
  name: 'decoupling',
  variant: 'real',
  summary: 'four of the same schedules with real policy workers on slowed pocket desktops',
  run: (report, options) => {
    const trial = (schedule: Schedule, seed: number) =>
      realTrial(schedule, shortened(REAL_SPAN, options), seed);
    const trials = [{ name: REAL.name, schedules: REAL_MATRIX, trial }];
    return compare(report, options, trials, { real: true, settings: [REAL] }, gainsIn);
  },
};

async function compare(
  report: Report,
  { seeds }: BenchOptions,
  trials: readonly WorldTrials[],
  config: Readonly<Record<string, unknown>>,
  figuresOf: (worlds: readonly Rows[]) => Figures,
): Promise<BenchResult> {
  const parts = seeds * trials.reduce((sum, { schedules }) => sum + schedules.length, 0);
  const worlds: { readonly name: string; readonly rows: Rows; readonly bySeed: readonly Rows[] }[] = [];
  for (const { name, schedules, trial } of trials) {
    const measured: { readonly configuration: string; readonly spent: readonly Spent[] }[] = [];
    for (const schedule of schedules) {
      const configuration = scheduleName(schedule);
      const spent: Spent[] = [];
      for (let seed = 0; seed < seeds; seed++) {
        const part = `${name}: ${configuration}, seed ${seed}`;
        spent.push(await report.part(part, parts, () => trial(schedule, seed)));
      }
      measured.push({ configuration, spent });
    }
    const rowsOf = (pick: (spent: readonly Spent[]) => readonly Spent[]): Rows =>
      measured.map(({ configuration, spent }) => ({ configuration, ...measuresOf(sumOf(pick(spent))) }));
    const bySeed = Array.from({ length: seeds }, (_, seed) => rowsOf(spent => spent.slice(seed, seed + 1)));
    worlds.push({ name, rows: rowsOf(spent => spent), bySeed });
  }
  const figures = figuresOf(worlds.map(({ rows }) => rows));
  const ofSeeds = Array.from({ length: seeds }, (_, seed) =>
    figuresOf(worlds.map(({ bySeed }) => bySeed[seed] ?? [])),
  );
  return {
    figures,
    ...(seeds > 1 && {
      certainty: Object.fromEntries(
        Object.keys(figures).map(name => [
          name,
          certain(meanOf(ofSeeds.map(each => each[name] ?? Number.NaN))),
        ]),
      ),
    }),
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

function rowOf(rows: Rows, schedule: Schedule): ScheduleRow {
  const row = rows.find(({ configuration }) => configuration === scheduleName(schedule));
  if (row !== undefined) return row;
  throw new RangeError(`No trial of ${scheduleName(schedule)}. Add it to the matrix.`);
}

const lowest = (worlds: readonly Rows[], value: (rows: Rows, world: number) => number): number =>
  Math.min(...worlds.map(value));

/** Rollouts that wait for those of their task or batch. */
const isGrouped = ({ configuration }: ScheduleRow) => !configuration.startsWith(DECOUPLED.scheduling);
/** The same, or workers that all wait while they load new weights. */
const isCoupled = (row: ScheduleRow) => isGrouped(row) || row.configuration.includes(BASELINE.sync);

/**
 * The lowest gain of all worlds, against the baseline, the strongest coupled schedule and the strongest one with grouped rollouts. Occupancy
 * counts where the baseline is as idle as that of the paper, and in all worlds if it is nowhere.
 */
export function gainsIn(worlds: readonly Rows[]) {
  type Gained = 'utilisation' | 'trained' | 'occupancy';
  const gain = (some: typeof worlds, measure: Gained) =>
    lowest(some, rows => rowOf(rows, DECOUPLED)[measure] / rowOf(rows, BASELINE)[measure]);
  const gainOverBest = (some: typeof worlds, measure: Gained, of: (row: ScheduleRow) => boolean) =>
    lowest(some, rows => {
      const best = Math.max(...rows.filter(of).map(row => row[measure]));
      return rowOf(rows, DECOUPLED)[measure] / best;
    });
  const idle = worlds.filter(rows => rowOf(rows, BASELINE).occupancy <= MAX_IDLE_OCCUPANCY);
  const occupied = idle.length > 0 ? idle : worlds;
  return {
    worker_utilisation_gain: gain(worlds, 'utilisation'),
    worker_utilisation_vs_best_coupled: gainOverBest(worlds, 'utilisation', isCoupled),
    worker_utilisation_vs_best_grouped: gainOverBest(worlds, 'utilisation', isGrouped),
    throughput_gain: gain(worlds, 'trained'),
    throughput_vs_best_coupled: gainOverBest(worlds, 'trained', isCoupled),
    throughput_vs_best_grouped: gainOverBest(worlds, 'trained', isGrouped),
    environment_occupancy_gain: gain(occupied, 'occupancy'),
    environment_occupancy_vs_best_coupled: gainOverBest(occupied, 'occupancy', isCoupled),
    environment_occupancy_vs_best_grouped: gainOverBest(occupied, 'occupancy', isGrouped),
  };
}

export interface SimulatedWorlds {
  /** The paper-like world first; `calm` has the same worlds without hangs. */
  readonly hanging: readonly Rows[];
  readonly calm: readonly Rows[];
  /** Trained actions per minute that each world allows. */
  readonly capacities: readonly number[];
}

export function simulatedFigures({ hanging, calm: quiet, capacities }: SimulatedWorlds) {
  const paper = hanging.slice(0, 1);
  return {
    ...gainsIn(hanging),
    ...Object.fromEntries(
      Object.entries(gainsIn(quiet)).map(([name, value]) => [`${name}_without_hangs`, value]),
    ),
    capacity_share: lowest(
      hanging,
      (rows, world) => rowOf(rows, DECOUPLED).trained / (capacities[world] ?? Number.NaN),
    ),
    lost_share: lowest(paper, rows => rowOf(rows, DECOUPLED).lost),
    lost_share_unpaced: lowest(paper, rows => rowOf(rows, UNPACED).lost),
    pacing_gain: lowest(paper, rows => rowOf(rows, DECOUPLED).trained / rowOf(rows, UNPACED).trained),
  };
}
