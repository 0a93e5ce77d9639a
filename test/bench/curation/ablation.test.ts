import { expect, test } from 'vitest';
import {
  type AblationSetting,
  ablationResult,
  armConfig,
  cloningConfig,
} from '../../../runtime/bench/curation/ablation.ts';
import type { Course } from '../../../runtime/bench/curation/steps-to-success.ts';
import { CURATIONS } from '../../../runtime/config/sections/curation.ts';

const course = (...points: readonly (readonly [steps: number, percent: number])[]): Course =>
  points.map(([steps, successes]) => ({ steps, successes, trials: 100 }));

const SEEDS = [0, 1, 2];

/** Every arm rises by so many points in 1,000 steps, a little more with every seed. */
const arms = (points: (arm: string) => number) =>
  new Map(
    CURATIONS.map(arm => [
      arm,
      SEEDS.map(seed => ({
        course: course(
          [0, 20],
          [500, 20 + Math.round(points(arm) / 2) + seed],
          [1000, 20 + points(arm) + seed],
        ),
        explored: 100,
      })),
    ]),
  );

/** The start of each seed. */
const CLONED = SEEDS.map(() => course([0, 5], [0, 20]));

test('figures give the success of every arm, the loss without every part, and the steps to the success of GRPO', () => {
  const { figures, certainty, series } = ablationResult(
    arms(arm => (arm === 'grpo' ? 20 : arm === 'no-length' ? 30 : 40)),
    CLONED,
  );
  expect(figures).toMatchObject({
    ...{ success_full: expect.closeTo(0.61), success_grpo: expect.closeTo(0.41) },
    ...{ success_cloned: expect.closeTo(0.2), grpo_gain: expect.closeTo(0.21) },
    ...{ success_without_length: expect.closeTo(0.51), success_without_success_pool: expect.closeTo(0.61) },
    ...{ loss_without_length: expect.closeTo(0.1), loss_without_alignment: expect.closeTo(0) },
    no_alignment_vs_grpo_steps: expect.closeTo(0.5, 1),
  });
  expect(Object.keys(figures).filter(name => name.startsWith('success_without_'))).toHaveLength(6);
  expect(figures['dart_vs_grpo_steps']).toBeCloseTo(0.5, 1);
  const high = figures['dart_vs_grpo_ci_high'] ?? Number.NaN;
  expect(high).toBeGreaterThanOrEqual(figures['dart_vs_grpo_steps'] ?? Number.NaN);
  expect(high).toBeLessThan(1);
  const full = certainty?.['success_full'];
  expect(full?.low).toBeLessThan(0.61);
  expect(full?.high).toBeGreaterThan(0.61);
  expect(series?.['success by environment steps/grpo']?.map(({ x, y }) => [x, y])).toEqual([
    [0, 0.2],
    [500, 0.31],
    [1000, 0.41],
  ]);
});

test('a goal that is never reached is no number, and the sentence says so', () => {
  const { figures, config } = ablationResult(
    arms(arm => (arm === 'grpo' ? 40 : 20)),
    CLONED,
  );
  expect(figures['dart_vs_grpo_steps']).toBe(Number.POSITIVE_INFINITY);
  expect(figures['dart_vs_grpo_ci_high']).toBe(Number.POSITIVE_INFINITY);
  expect(config['reaching']).toMatch(/dart does not reach the final success of grpo \(61.0 %\)/);
});

test('if GRPO gains nothing, no ratio is reported, and the sentence says so', () => {
  const { figures, config } = ablationResult(
    arms(arm => (arm === 'grpo' ? -5 : 20)),
    CLONED,
  );
  expect(figures).not.toHaveProperty('dart_vs_grpo_steps');
  expect(figures['grpo_gain']).toBeCloseTo(-0.04, 6);
  expect(config['reaching']).toMatch(/grpo ends at 16.0 % and began at 20.0 %/);
});

test('arms differ only in their curation and share suite and demonstrations with the clone', () => {
  const setting: AblationSetting = {
    ...{ suite: { tiers: [2, 3] }, minutes: 10, cloningMinutes: 5, instances: 6 },
  };
  const rest = CURATIONS.map(arm => {
    const { curation, ...config } = armConfig(arm, 1, setting);
    expect(curation.preset).toBe(arm);
    return config;
  });
  for (const each of rest) expect(each).toEqual(rest[0]);
  const { trainer, evaluation } = rest[0] ?? {};
  expect(trainer?.shares).toMatchObject({ beside: 0, successes: 0 });
  expect(Object.values(trainer?.passes ?? { none: 1 })).toEqual([0, 0, 0, 0, 0]);
  expect(evaluation).toMatchObject({ instances: 6, lastInstances: 6 });
  const cloning = cloningConfig('ablation', 1, setting);
  expect(cloning.seed).not.toBe(rest[0]?.seed);
  expect(cloning.demonstrations).toBe(rest[0]?.demonstrations);
  expect(cloning.suite).toEqual(rest[0]?.suite);
  expect(cloning.exploring.firstSeconds).toBeGreaterThan(290);
});

test('an outcome of two arms has their figures alone', () => {
  const two = arms(() => 30);
  for (const arm of CURATIONS) if (arm !== 'dart' && arm !== 'no-length') two.delete(arm);
  const { figures, config } = ablationResult(two, CLONED);
  expect(Object.keys(figures).toSorted()).toEqual([
    ...['loss_without_length', 'loss_without_length_at_end', 'success_cloned', 'success_full'],
    'success_without_length',
  ]);
  expect(config['reaching']).toBe('no seed has both dart and grpo');
});
