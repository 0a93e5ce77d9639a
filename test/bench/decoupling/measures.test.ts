// Times and measures of a trial.

import { expect, test } from 'vitest';
import { capacityOf } from '../../../runtime/bench/decoupling/capacity.ts';
import { gainsIn, type ScheduleRow, simulatedFigures } from '../../../runtime/bench/decoupling/decoupling.ts';
import { measuresOf, type Spent, spentBetween, sumOf } from '../../../runtime/bench/decoupling/measures.ts';
import { virtualTrial } from '../../../runtime/bench/decoupling/simulation.ts';
import { DECOUPLED, type Schedule } from '../../../runtime/bench/decoupling/trial.ts';
import { SMALL, SPAN } from './worlds.ts';

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

const row = (configuration: string, utilisation: number, lost = 0): ScheduleRow => ({
  ...{ configuration, utilisation, occupancy: utilisation, trained: 10 * utilisation, lost },
  ...{ deciding: 0, loading: 0, training: 0, stepping: 0, generated: 0 },
});
const world = (baseline: number, coupled: number, unpaced: number, decoupled: number) => [
  row('batch-wise, all-worker, K=0', baseline),
  row('task-wise, per-worker, K=4', coupled),
  row('rollout-wise, all-worker, K=4', coupled * 1.25),
  row('rollout-wise, per-worker, K=4', unpaced, 0.3),
  row('rollout-wise, paced, K=4', decoupled, 0.1),
];

test('gains are the lowest of all worlds, against the baseline and the strongest schedules that couple something', () => {
  expect(gainsIn([world(0.1, 0.4, 0.5, 0.8), world(0.2, 0.6, 0.5, 0.9)])).toEqual({
    ...{ worker_utilisation_gain: 4.5, worker_utilisation_vs_best_coupled: expect.closeTo(1.2) },
    worker_utilisation_vs_best_grouped: expect.closeTo(1.5),
    ...{ throughput_gain: 4.5, throughput_vs_best_coupled: expect.closeTo(1.2) },
    throughput_vs_best_grouped: expect.closeTo(1.5),
    // Occupancy counts in the world whose baseline idles.
    ...{ environment_occupancy_gain: 8, environment_occupancy_vs_best_coupled: 1.6 },
    environment_occupancy_vs_best_grouped: 2,
  });
});

test('simulated worlds count with and without hangs, and against what each world allows', () => {
  const figures = simulatedFigures({
    hanging: [world(0.1, 0.4, 0.5, 0.8), world(0.2, 0.6, 0.5, 0.9)],
    calm: [world(0.2, 0.5, 0.5, 0.8), world(0.3, 0.6, 0.5, 0.9)],
    capacities: [10, 9],
  });
  expect(figures).toMatchObject({
    ...{ worker_utilisation_gain: 4.5, worker_utilisation_gain_without_hangs: expect.closeTo(3) },
    ...{ environment_occupancy_gain_without_hangs: expect.closeTo(3), capacity_share: 0.8 },
    ...{ lost_share: 0.1, lost_share_unpaced: 0.3, pacing_gain: expect.closeTo(1.6) },
  });
});

test('the capacity of a world is that of its trainer, its workers and its desktops alone', () => {
  const exact = (median: number) => ({ median, spread: 0 });
  // Every episode is one decision without an action.
  const plain = { ...SMALL, ends: 1, maxSteps: 5, reset: exact(30_000), judge: exact(25_000) };
  expect(
    capacityOf({
      ...plain,
      decides: { batch: 4000, request: 1000 },
      updates: { update: 54_000, step: 1000 },
    }),
  ).toEqual({ trainer: 6, workers: expect.closeTo((60 * 2 * 3) / 7), desktops: 6 });
  // Ten capped decisions with as many actions, of which a tenth hang.
  const long = {
    ...{ ...plain, ends: 1e-12, maxSteps: 10, decides: { batch: 1000, request: 0 }, act: exact(1000) },
    hangs: { share: 0.1, lasts: exact(10_000) },
  };
  expect(capacityOf(long).desktops).toBeCloseTo((60 * 6 * 10) / (30 + 25 + 10 * 2 + 10), 2);
});
