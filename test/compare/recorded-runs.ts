// Recorded runs for tests of comparisons.

import { compareRuns } from '../../runtime/compare/compare-runs.ts';
import type {
  EvaluatedEpisode,
  RecordedEvaluation,
  RecordedRun,
  RecordedSide,
} from '../../runtime/compare/record.ts';
import type { Config } from '../../runtime/config/config.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { clustered } from '../../runtime/data/interval.ts';
import type { EvaluationPoint } from '../../runtime/protocol/daemon/state.ts';

export type Solves = (task: number, instance: number) => boolean;

/** Every task of the same number of instances. Seeds of test instances begin at 1000. */
export const episodesOf = (tasks: number, instances: number, solves: Solves): readonly EvaluatedEpisode[] =>
  Array.from({ length: tasks * instances }, (_, index) => {
    const [task, instance] = [Math.floor(index / instances), index % instances];
    return { task: `task-${task}`, seed: 1000 + instance, success: solves(task, instance), steps: 4 };
  });

export function pointOf(seconds: number, rate: number, steps = 100 * seconds): EvaluationPoint {
  const successes = Math.round(rate * 40);
  const interval = clustered([{ successes, trials: 40 }]);
  return {
    ...interval,
    seconds,
    steps,
    split: 'test',
    version: Math.round(seconds),
    score: interval.rate,
    broken: 0,
  };
}

type RunChanges = Partial<Omit<RecordedRun, 'kind' | 'config'>> & { readonly config?: Config };

export function recordedRun(name: string, changes: RunChanges = {}): RecordedRun {
  const config = changes.config ?? { ...defaults({}), seed: name };
  return {
    ...{
      kind: 'run',
      name,
      status: 'ended',
      startedAt: 1_795_664_100_000,
      seconds: 600,
      plannedSeconds: 600,
    },
    about: { preset: config.preset, mode: config.mode, seed: config.seed, tiers: [1], tasks: 6 },
    config,
    programs: [],
    ...{ steps: 60_000, updates: 900, episodes: 5000 },
    curve: [0, 300, 600].map(seconds => ({ ...pointOf(seconds, seconds / 800), cost: {} })),
    curation: [60, 300, 600].map(seconds => ({
      ...{ seconds, trainable: seconds, filtered: 2 * seconds, injections: 3, duplicates: 4, dropped: 0 },
      ...{ pool: seconds / 10, rollouts: 7.5, lengthLimit: 12, staleness: 4, maxStaleness: 9 },
    })),
    tiers: { 'task-0': 1, 'task-1': 2 },
    evaluation: {
      ...{ version: 600, seconds: 600, broken: 0 },
      episodes: episodesOf(6, 5, (task, instance) => instance >= task),
    },
    missing: [],
    ...changes,
  };
}

/** The same runs under another setting. */
export const graded = (name: string, changes: RunChanges = {}): RecordedRun => {
  const config = defaults({});
  return recordedRun(name, {
    config: { ...config, seed: name, curation: { ...config.curation, preset: 'grpo' } },
    ...changes,
  });
};

export const recordedEvaluation = (name: string, solves: Solves): RecordedEvaluation => ({
  ...{
    kind: 'evaluation',
    name,
    agent: 'tars',
    startedAt: 1_795_664_100_000,
    seconds: 60,
    steps: 120,
    broken: 1,
  },
  cost: { tokens: 12_000, money: 0.5 },
  episodes: episodesOf(6, 5, solves),
  missing: [],
});

const CONTEXT = { now: 0, dartboard: '1.2.3' };
export const compared = (...sides: readonly RecordedSide[]) => compareRuns(sides, CONTEXT);
