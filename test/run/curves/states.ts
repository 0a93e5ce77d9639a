// Run states for tests.

import type { EvaluationPoint, RunState } from '../../../runtime/protocol/daemon/state.ts';
import type { CurveFiles } from '../../../runtime/run/curves/curve-files.ts';

/** Writes a state that shows all points that were measured. */
export const take = (files: CurveFiles, state: RunState, now: number): Promise<void> =>
  files.take(state, now, { before: 0, points: state.curve });

export const pointAt = (
  seconds: number,
  rate: number,
  split: EvaluationPoint['split'] = 'test',
): EvaluationPoint => ({
  seconds,
  steps: Math.round(100 * seconds),
  split,
  version: Math.round(seconds),
  successes: Math.round(rate * 48),
  trials: 48,
  rate,
  low: rate / 2,
  high: (1 + rate) / 2,
  score: (1 + rate) / 2,
  broken: 1,
});

export const stateAt = (
  seconds: number,
  curve: readonly EvaluationPoint[],
  metrics: Readonly<Record<string, number>> = {},
): RunState => ({
  run: 'run-1',
  status: 'running',
  startedAt: 1_700_000_000_000,
  seconds,
  of: 300,
  about: { preset: 'scratch', mode: 'screenshot_a11y_tree', seed: 'a', tiers: [1], tasks: 12 },
  curve: [...curve],
  tasks: [],
  environments: { desktops: 4, broken: 0, occupancy: 0.75, stepping: 0.5 },
  rollout: {
    workers: 1,
    utilisation: 0.25,
    episodes: 10,
    steps: 50,
    episodesPerSecond: 2,
    stepsPerSecond: 9,
  },
  data: {
    books: { submitted: 12, accepted: 4, filtered: 3, dropped: 2, failed: 1, running: 2 },
    queues: { orders: 1, trajectories: 2, batches: 3, lessons: 4 },
    trainableGroups: 5,
    filteredGroups: 6,
    injections: 7,
    staleness: { mean: 0.5, max: 3 },
  },
  trainer: { version: 8, updates: 90, updatesPerSecond: 5, utilisation: 0.875, metrics: { ...metrics } },
  waiting: [],
  problems: [],
});
