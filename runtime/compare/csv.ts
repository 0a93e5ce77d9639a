// The CSV files of a comparison (RFC 4180); docs/compare.md documents their columns. Pure.

import { type CsvRow, csvText } from '../run/curves/csv.ts';
import type { RunsComparison } from './comparison.ts';
import { curationFigures } from './curation-figures.ts';

/** The text of each file, by name. */
export type ComparisonFiles = Readonly<Record<'runs.csv' | 'curves.csv' | 'tasks.csv', string>>;

const RUN_COLUMNS = [
  ...[
    'arm',
    'arm_name',
    'run',
    'kind',
    'status',
    'started_at',
    'desktops',
    'agent',
    'preset',
    'mode',
    'seed',
  ],
  ...['tasks', 'from', 'seconds', 'planned_seconds', 'steps', 'updates', 'episodes', 'tokens', 'money'],
  ...['hardware_seconds', 'successes', 'trials', 'rate', 'low', 'high', 'best', 'groups', 'gradient_share'],
  ...['pool', 'staleness', 'dartboard', 'node', 'packages', 'system'],
];
const CURVE_COLUMNS = ['over', 'arm', 'run', 'x', 'rate', 'low', 'high'];
const TASK_COLUMNS = [
  ...['first', 'second', 'task', 'tier', 'first_successes', 'first_trials', 'first_rate'],
  ...['second_successes', 'second_trials', 'second_rate', 'difference', 'low', 'high', 'test', 'p', 'p_holm'],
];

export const csvOf = (comparison: RunsComparison): ComparisonFiles => ({
  'runs.csv': csvText(RUN_COLUMNS, runRows(comparison)),
  'curves.csv': csvText(CURVE_COLUMNS, curveRows(comparison)),
  'tasks.csv': csvText(TASK_COLUMNS, taskRows(comparison)),
});

const runRows = ({ runs, arms, curation }: RunsComparison): readonly CsvRow[] =>
  runs.map(run => {
    const figures = curationFigures(curation.find(each => each.run === run.name)?.samples ?? []);
    const program = run.programs.at(-1);
    return {
      ...{ arm: run.arm, arm_name: arms.find(({ members }) => members.includes(run.name))?.name },
      ...{ run: run.name, kind: run.kind, status: run.status, desktops: run.desktops, agent: run.agent },
      started_at: run.startedAt === undefined ? undefined : new Date(run.startedAt).toISOString(),
      ...{ preset: run.preset, mode: run.mode, seed: run.seed, tasks: run.tasks, from: run.from },
      ...{ seconds: run.seconds, planned_seconds: run.plannedSeconds, steps: run.steps },
      ...{ updates: run.updates, episodes: run.episodes, tokens: run.cost?.tokens, money: run.cost?.money },
      hardware_seconds: run.cost?.hardwareSeconds,
      ...{ successes: run.success?.successes, trials: run.success?.trials, rate: run.success?.rate },
      ...{ low: run.success?.low, high: run.success?.high, best: run.best },
      ...{ groups: figures.groups, gradient_share: figures.share, pool: figures.pool },
      ...{ staleness: figures.staleness, dartboard: program?.dartboard, node: program?.node },
      packages:
        program &&
        Object.entries(program.packages)
          .map(([name, version]) => `${name} ${version}`)
          .join(' '),
      system: program?.system,
    };
  });

/** A row without a run is the mean of an arm. */
const curveRows = ({ curves }: RunsComparison): readonly CsvRow[] =>
  curves.flatMap(({ over, arms }) =>
    arms.flatMap(({ arm, mean, members }) => [
      ...(members.length < 2 ? [] : mean.map(point => ({ over, arm, ...point }))),
      ...members.flatMap(({ run, points }) => points.map(point => ({ over, arm, run, ...point }))),
    ]),
  );

const taskRows = ({ differences }: RunsComparison): readonly CsvRow[] =>
  differences.flatMap(({ arms: [first, second], taskTest, tasks }) =>
    tasks.map(({ task, tier, sides: [one, two], difference, p, adjusted }) => ({
      ...{ first, second, task, tier, p, p_holm: adjusted, test: taskTest },
      ...{ first_successes: one.successes, first_trials: one.trials, first_rate: one.rate },
      ...{ second_successes: two.successes, second_trials: two.trials, second_rate: two.rate },
      ...{ difference: difference.value, low: difference.low, high: difference.high },
    })),
  );
