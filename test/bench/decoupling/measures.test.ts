// What a trial says is what happened, and adds up.

import { expect, test } from 'vitest';
import {
  between,
  measuresOf,
  type Spent,
  shareOfPossible,
  together,
} from '../../../runtime/bench/decoupling/measures.ts';
import type { Configuration } from '../../../runtime/bench/decoupling/trial.ts';
import { virtualTrial } from '../../../runtime/bench/decoupling/virtual.ts';
import { SMALL, SPAN } from './worlds.ts';

const DECOUPLED: Configuration = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 4 };
const BASELINE: Configuration = { scheduling: 'batch-wise', sync: 'all-worker', versions: 0 };

const sum = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((total, each) => total + each, 0);

test('the same seed is the same trial, to the last number; another seed is another one', async () => {
  for (const configuration of [BASELINE, DECOUPLED]) {
    const [one, other, else_] = await Promise.all(
      [7, 7, 8].map(c => virtualTrial(SMALL, configuration, SPAN, c)),
    );
    expect(other).toEqual(one);
    expect(else_).not.toEqual(one);
  }
});

test('all of the time of all desktops, workers and the trainer is accounted for', async () => {
  for (const configuration of [BASELINE, DECOUPLED]) {
    const spent = await virtualTrial(SMALL, configuration, SPAN, 3);
    expect(sum(spent.desktops)).toBeCloseTo(SMALL.desktops * spent.time, 0);
    expect(sum(spent.workers)).toBeCloseTo(SMALL.workers * spent.time, 0);
    expect(spent.trainers).toBeCloseTo(SMALL.trainers * spent.time, 0);
    expect(spent.training).toBeLessThanOrEqual(spent.trainers);
  }
});

test('a coupled trial stops after the groups that were asked for, and trains on all that it generates', async () => {
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
  expect(measuresOf(together([SPENT, longer])).trained).toBe(20);
  expect(together([SPENT, between(SPENT, longer)])).toEqual(longer);
});

test('of what is possible a schedule has all when no desktop is ever without an episode', () => {
  expect(shareOfPossible(0.4, 1)).toBe(1);
  expect(shareOfPossible(0.4, 0.9)).toBeCloseTo(0.9);
});
