// The result of learning on Docker desktops.

import { expect, test } from 'vitest';
import {
  cloningConfig,
  gainOfSeeds,
  learningConfig,
  learningResult,
  settingFor,
} from '../../../runtime/bench/docker/learn.ts';

const tried = (task: string, successes: number, trials = 4, broken = 0) => ({
  task,
  successes,
  trials,
  broken,
});

const BEFORE = [tried('a', 0), tried('b', 1), tried('c', 2)];

test('the gain of one training is the mean over its tasks, without an interval', () => {
  const after = [tried('c', 4), tried('a', 2), tried('b', 3)];
  const { mean, low, high } = gainOfSeeds([BEFORE], [after]);
  expect([mean, low, high]).toEqual([expect.closeTo(0.5), Number.NaN, Number.NaN]);
});

test('the gain over a start that all seeds share has an interval over the tasks', () => {
  const gainWith = (...tasks: readonly ReturnType<typeof tried>[]) =>
    learningResult(BEFORE, BEFORE, [{ tasks, curve: [] }]).certainty?.['gain'];
  expect(gainWith(tried('a', 2), tried('b', 3), tried('c', 4))).toEqual({
    low: expect.closeTo(0.5),
    high: expect.closeTo(0.5),
  });
  expect(gainWith(tried('a', 0), tried('b', 1), tried('c', 4))?.low).toBeLessThan(0);
});

test('with several seeds the interval is over the seeds, however much the tasks differ', () => {
  const before = [tried('a', 0), tried('b', 0)];
  const after = [tried('a', 4), tried('b', 0)];
  const rounded = ({ mean, low, high }: { mean: number; low: number; high: number }) =>
    [mean, low, high].map(value => Number(value.toFixed(6)));
  expect(rounded(gainOfSeeds([before, before], [after, after]))).toEqual([0.5, 0.5, 0.5]);
});

test('a task without trials does not count', () => {
  const before = [tried('a', 1), tried('b', 0, 0, 4)];
  const { mean } = gainOfSeeds([before], [[tried('a', 2), tried('b', 4)]]);
  expect(mean).toBe(0.25);
});

test('seeds are counted together', () => {
  const curve = [{ seconds: 3.4, rate: 0.5, low: 0.1, high: 0.9 }] as never;
  const seeds = [
    { tasks: [tried('a', 4), tried('b', 2)], curve },
    { tasks: [tried('a', 2), tried('b', 0, 2, 2)], curve },
  ];
  const chance = [tried('a', 0), tried('b', 0)];
  const { figures, certainty, series } = learningResult(chance, [tried('a', 1), tried('b', 1)], seeds);
  expect(figures).toMatchObject({
    success_random: 0,
    success_cloned: 0.25,
    success_rl: expect.closeTo(8 / 14),
  });
  expect(figures['gain']).toBeCloseTo((0.5 + 1 / 12) / 2, 3);
  expect(certainty?.['success_rl']).toMatchObject({ successes: 8, trials: 14 });
  expect(Object.keys(series ?? {}).filter(name => name.startsWith('success/'))).toEqual([
    'success/seed 0',
    'success/seed 1',
  ]);
  expect(series?.['by task/after reinforcement learning']).toEqual([
    { x: 'a', y: 0.75 },
    { x: 'b', y: expect.closeTo(1 / 3) },
  ]);
});

test('the clone learns from demonstrations only; all else equals the learning run', () => {
  const setting = settingFor(40, 'an image');
  const [cloning, learning] = [cloningConfig(setting), learningConfig(setting, 0)];
  expect(cloning.trainer).toMatchObject({ policyWeight: 0, shares: { successes: 0 } });
  expect(learning.trainer.policyWeight).toBeGreaterThan(0);
  for (const same of ['suite', 'environments', 'demonstrations', 'mode'] as const)
    expect(learning[same]).toEqual(cloning[same]);
  expect(cloning.minutes + learning.minutes).toBeLessThan(40);
});
