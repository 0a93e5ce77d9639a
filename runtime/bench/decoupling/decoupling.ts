// The decoupling benchmark: the matrix of method.md §1, every way of scheduling and synchronising under every staleness bound, in worlds
// with the latencies of the paper, of containers and of the pocket desktop. The parts that schedule are the real ones, under virtual
// time; what they schedule are models. With `--real`, a small matrix of real workers on slowed pocket desktops, by the clock on the wall.

import type { Benchmark, Options, Report, Result } from '../report.ts';
import type { Coupled } from './gate.ts';
import { type Measures, measuresOf, type Spent, shareOfPossible, together } from './measures.ts';
import { REAL, REAL_SPAN, realTrial } from './real.ts';
import { DOCKER, PAPER, POCKET_LATENCY, type Setting } from './settings.ts';
import type { Configuration, Span } from './trial.ts';
import { nameOf, virtualTrial } from './virtual.ts';

const MINUTES = 4;
const SYNCS = ['all-worker', 'per-worker'] as const;
const BOUNDS = [0, 1, 4] as const;
const COUPLED: readonly Coupled[] = ['batch-wise', 'task-wise'];

const MATRIX: readonly Configuration[] = BOUNDS.flatMap(versions =>
  [...COUPLED, 'rollout-wise' as const].flatMap(scheduling =>
    SYNCS.map(sync => ({ scheduling, sync, versions })),
  ),
);

/** Everything waits for everything: roll out, update, synchronise, and again. */
const BASELINE: Configuration = { scheduling: 'batch-wise', sync: 'all-worker', versions: 0 };
/** What the product does unless it is told otherwise. */
const DECOUPLED: Configuration = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 4 };
const REAL_MATRIX: readonly Configuration[] = [
  BASELINE,
  { scheduling: 'task-wise', sync: 'per-worker', versions: 1 },
  DECOUPLED,
];

/** Updates' worth of groups. Where steps take seconds, updates are rarer and dearer. */
const WORLDS: readonly { readonly setting: Setting; readonly span: Span }[] = [
  { setting: PAPER, span: { warmUp: 3, measured: 24 } },
  { setting: DOCKER, span: { warmUp: 10, measured: 100 } },
  { setting: POCKET_LATENCY, span: { warmUp: 10, measured: 50 } },
];

/** The paper's baseline has 12.2 %; up to this, one counts as idle as that. */
const IDLE = 0.14;

interface Row extends Measures {
  readonly configuration: string;
}

interface World {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly gains: Gains;
}

interface Gains {
  readonly utilisation: number;
  readonly trained: number;
  readonly occupancy: number;
  readonly share: number;
  /** The baseline's. */
  readonly idleness: number;
}

export const decoupling: Benchmark = {
  name: 'decoupling',
  summary: 'what it gains that desktops, workers and trainer do not wait for one another',
  run: async (report, options) => {
    const matrices = WORLDS.map(({ setting, span }) => ({
      name: setting.name,
      matrix: MATRIX,
      trial: (configuration: Configuration, chance: number) =>
        virtualTrial(setting, configuration, shorter(span, options), chance),
    }));
    const settings = WORLDS.map(({ setting }) => setting);
    return await compared(report, options, matrices, { real: false, settings });
  },
};

export const decouplingReal: Benchmark = {
  name: 'decoupling',
  variant: 'real',
  summary: 'the same, small, with real policy workers on slowed pocket desktops, in real time',
  run: async (report, options) => {
    const trial = (configuration: Configuration, chance: number) =>
      realTrial(configuration, shorter(REAL_SPAN, options), chance);
    const matrices = [{ name: REAL.name, matrix: REAL_MATRIX, trial }];
    return await compared(report, options, matrices, { real: true, settings: [REAL] });
  },
};

interface Matrix {
  readonly name: string;
  readonly matrix: readonly Configuration[];
  readonly trial: (configuration: Configuration, chance: number) => Promise<Spent>;
}

async function compared(
  report: Report,
  { seeds }: Options,
  matrices: readonly Matrix[],
  config: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const parts = seeds * matrices.reduce((sum, { matrix }) => sum + matrix.length, 0);
  const worlds: World[] = [];
  for (const { name, matrix, trial } of matrices) {
    const rows: Row[] = [];
    for (const configuration of matrix) {
      const spent: Spent[] = [];
      for (let chance = 0; chance < seeds; chance++) {
        const part = `${name}: ${nameOf(configuration)}, seed ${chance}`;
        spent.push(await report.part(part, parts, () => trial(configuration, chance)));
      }
      rows.push({ configuration: nameOf(configuration), ...measuresOf(together(spent)) });
    }
    report.say(table(name, rows));
    worlds.push({ name, rows, gains: gainsOf(rows) });
  }
  const figures = figuresOf(worlds);
  for (const [name, value] of Object.entries(figures)) report.say(`  ${name.padEnd(28)} ${value}`);
  const told = Object.fromEntries(worlds.map(({ name, ...rest }) => [name, rest]));
  return {
    figures,
    config: { ...config, baseline: nameOf(BASELINE), decoupled: nameOf(DECOUPLED), worlds: told },
    versions: { node: process.version },
    series: Object.fromEntries(worlds.flatMap(barsOf)),
  };
}

const barsOf = ({ name, rows }: World) =>
  (
    [
      ['workers used', 'utilisation'],
      ['desktops with a live episode', 'occupancy'],
    ] as const
  ).map(([label, measure]) => {
    const bars = rows.map(row => ({ x: row.configuration, y: row[measure] }));
    return [`${name}/${label}`, bars] as const;
  });

const shorter = ({ warmUp, measured }: Span, { minutes = MINUTES }: Options): Span => ({
  warmUp,
  measured: Math.max(2, Math.round(Math.min(1, minutes / MINUTES) * measured)),
});

function gainsOf(rows: readonly Row[]): Gains {
  const of = (wanted: Configuration): Measures => {
    const found = rows.find(({ configuration }) => configuration === nameOf(wanted));
    if (found === undefined) throw new RangeError(`The matrix has no ${nameOf(wanted)}.`);
    return found;
  };
  const [baseline, decoupled] = [of(BASELINE), of(DECOUPLED)];
  return {
    utilisation: decoupled.utilisation / baseline.utilisation,
    trained: decoupled.trained / baseline.trained,
    occupancy: decoupled.occupancy / baseline.occupancy,
    share: shareOfPossible(baseline.occupancy, decoupled.occupancy),
    idleness: baseline.occupancy,
  };
}

/** The least of all worlds: in occupancy, where the baseline is as idle as the paper's; the share of what is possible where it is not. */
function figuresOf(worlds: readonly World[]): Readonly<Record<string, number>> {
  const gains = worlds.map(world => world.gains);
  const [idle, busy] = [
    gains.filter(({ idleness }) => idleness <= IDLE),
    gains.filter(({ idleness }) => idleness > IDLE),
  ];
  const least = (all: readonly Gains[], name: keyof Gains) =>
    Number(Math.min(...all.map(each => each[name])).toPrecision(4));
  return {
    worker_utilisation_gain: least(gains, 'utilisation'),
    throughput_gain: least(gains, 'trained'),
    environment_occupancy_gain: least(idle.length > 0 ? idle : gains, 'occupancy'),
    share_of_possible_gain: least(busy.length > 0 ? busy : gains, 'share'),
  };
}

const COLUMNS: readonly { readonly head: string; readonly cell: (row: Measures) => string }[] = [
  { head: 'workers used', cell: ({ utilisation }) => percent(utilisation) },
  { head: 'deciding', cell: ({ deciding }) => percent(deciding) },
  { head: 'loading', cell: ({ loading }) => percent(loading) },
  { head: 'training', cell: ({ training }) => percent(training) },
  { head: 'occupancy', cell: ({ occupancy }) => percent(occupancy) },
  { head: 'stepping', cell: ({ stepping }) => percent(stepping) },
  { head: 'trained/min', cell: ({ trained }) => trained.toPrecision(4) },
  { head: 'generated/min', cell: ({ generated }) => generated.toPrecision(4) },
  { head: 'lost to age', cell: ({ lost }) => percent(lost) },
];

/** `deciding` and `loading` are the policy workers' time, `training` the trainer's, the next two the desktops'. */
function table(name: string, rows: readonly Row[]): string {
  const line = (first: string, cells: readonly string[]) =>
    [
      `  ${first.padEnd(32)}`,
      ...cells.map((cell, at) => cell.padStart((COLUMNS[at]?.head.length ?? 0) + 2)),
    ].join('');
  return [
    `\n${line(
      name,
      COLUMNS.map(({ head }) => head),
    )}`,
    ...rows.map(row =>
      line(
        row.configuration,
        COLUMNS.map(({ cell }) => cell(row)),
      ),
    ),
    '',
  ].join('\n');
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
