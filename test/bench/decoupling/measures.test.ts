// Times and measures of a trial.

import { expect, test } from 'vitest';
import { decouplingFigures, type ScheduleRow } from '../../../runtime/bench/decoupling/decoupling.ts';
import { measuresOf, type Spent, spentBetween, sumOf } from '../../../runtime/bench/decoupling/measures.ts';
import { virtualTrial } from '../../../runtime/bench/decoupling/simulation.ts';
import type { Schedule } from '../../../runtime/bench/decoupling/trial.ts';
import { SMALL, SPAN } from './worlds.ts';

const DECOUPLED: Schedule = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 4 };
const BASELINE: Schedule = { scheduling: 'batch-wise', sync: 'all-worker', versions: 0 };

const sum = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((total, each) => total + each, 0);

test('equal seeds give equal trials; other seeds give others', async () => {
  for (const configuration of [BASELINE, DECOUPLED]) {
    const [one, other, else_] = await Promise.all(
      [7, 7, 8].map(c => virtualTrial(SMALL, configuration, SPAN, c)),
    );
    expect(other).toEqual(one);
    expect(else_).not.toEqual(one);
  }
});

test('the times of desktops, workers and trainer add up to the duration', async () => {
  for (const configuration of [BASELINE, DECOUPLED]) {
    const spent = await virtualTrial(SMALL, configuration, SPAN, 3);
    expect(sum(spent.desktops)).toBeCloseTo(SMALL.desktops * spent.time, 0);
    expect(sum(spent.workers)).toBeCloseTo(SMALL.workers * spent.time, 0);
    expect(spent.trainers).toBeCloseTo(SMALL.trainers * spent.time, 0);
    expect(spent.training).toBeLessThanOrEqual(spent.trainers);
  }
});

test('a coupled trial measures the given number of groups, and trains on all it generates', async () => {
  const spent = await virtualTrial(SMALL, BASELINE, SPAN, 3);
  expect(spent.updates).toBe(SPAN.measured);
  expect(spent.trajectories).toBe(SPAN.measured * SMALL.groups * SMALL.rollouts);
  expect(spent.trained).toBe(spent.generated);
  expect(spent.lost).toBe(0);
});

const SPENT: Spent = {
  time: 60_000,
  desktops: { starting: 0, idle: 60_000, stepping: 30_000, waiting: 30_000, broken: 0 },
  workers: { deciding: 30_000, loading: 15_000, idle: 15_000, dead: 0 },
  training: 90_000,
  trainers: 180_000,
  ...{ updates: 1, trained: 40, generated: 50, trajectories: 10, lost: 2 },
};

test('measures are ratios of sums', () => {
  const measures = measuresOf(SPENT);
  expect(measures).toEqual({
    ...{ utilisation: 0.5, deciding: 0.5, loading: 0.25, training: 0.5 },
    ...{ occupancy: 0.5, stepping: 0.25, trained: 40, generated: 50, lost: 0.2 },
  });
  const longer: Spent = { ...SPENT, time: 120_000, trained: 20 };
  expect(measuresOf(sumOf([SPENT, longer])).trained).toBe(20);
  expect(sumOf([SPENT, spentBetween(SPENT, longer)])).toEqual(longer);
});

test('gains are the lowest of all worlds, against the baseline and the strongest coupled schedule', () => {
  const row = (configuration: string, utilisation: number, occupancy: number): ScheduleRow => ({
    ...{ configuration, utilisation, occupancy, trained: 10 * utilisation },
    ...{ deciding: 0, loading: 0, training: 0, stepping: 0, generated: 0, lost: 0 },
  });
  const world = (baseline: number, coupled: number, decoupled: number) => [
    row('batch-wise, all-worker, K=0', baseline, baseline),
    row('task-wise, per-worker, K=4', coupled, coupled),
    row('rollout-wise, per-worker, K=4', decoupled, decoupled),
  ];
  const figures = decouplingFigures([world(0.1, 0.4, 0.8), world(0.2, 0.6, 0.9)]);
  expect(figures).toEqual({
    ...{ worker_utilisation_gain: 4.5, worker_utilisation_vs_best_coupled: expect.closeTo(1.5) },
    ...{ throughput_gain: 4.5, throughput_vs_best_coupled: expect.closeTo(1.5) },
    // Occupancy counts in the world whose baseline idles; the share of the possible gain in the other.
    ...{ environment_occupancy_gain: 8, environment_occupancy_vs_best_coupled: 2 },
    share_of_possible_gain: 0.9,
  });
});
