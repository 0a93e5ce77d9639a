import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  observed,
  per1000,
  ROLLOUTS,
  type Rule,
  simulate,
  total,
} from '../../../runtime/bench/curation/simulation.ts';
import type { RewardTable } from '../../../runtime/bench/curation/table.ts';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { ALL_PARTS, dartCuration } from '../../../runtime/data/curation/dart.ts';

const UNIFORM: Rule = { parts: { rolloutNumber: false, revisits: false }, pool: 'off' };
const DART: Rule = { parts: { rolloutNumber: true, revisits: true }, pool: 'empty' };

const tableOf = (...rewards: readonly (readonly number[])[]): RewardTable =>
  rewards.map((each, index) => ({ task: taskId(`task ${index}`), rewards: each }));

const HALF = [0, 1];
const SELDOM = [...Array<number>(19).fill(0), 1];

test('the uniform rule plays every task once per epoch, 8 times', () => {
  const epochs = simulate(tableOf([0], [1], HALF), UNIFORM, 3, seeded(1));
  expect(epochs.map(({ rollouts, groups }) => [rollouts, groups])).toEqual(Array(3).fill([3 * ROLLOUTS, 3]));
});

test('equal rewards give no gradient; a task with both rewards nearly always has one', () => {
  expect(total(simulate(tableOf([0], [1]), DART, 10, seeded(1)), 'carrying')).toBe(0);
  const epochs = simulate(tableOf(HALF), UNIFORM, 1000, seeded(1));
  expect(total(epochs, 'carrying') / total(epochs, 'groups')).toBeCloseTo(1 - 2 / 2 ** ROLLOUTS, 2);
  expect(total(epochs, 'training')).toBe(ROLLOUTS * total(epochs, 'carrying'));
});

test('a partial reward is no success but gives a gradient', () => {
  const epochs = simulate(tableOf([0, 0.5]), { ...UNIFORM, pool: 'empty' }, 50, seeded(1));
  expect(total(epochs, 'carrying')).toBeGreaterThan(40);
  expect(total(epochs, 'injected')).toBe(0);
});

test('the pool helps tasks with an earlier success, never unsolved ones', () => {
  const without = simulate(tableOf(SELDOM), UNIFORM, 200, seeded(1));
  const empty = simulate(tableOf(SELDOM), { ...UNIFORM, pool: 'empty' }, 200, seeded(1));
  const filled = simulate(tableOf(SELDOM), { ...UNIFORM, pool: 'filled' }, 200, seeded(1));
  expect(total(without, 'injected')).toBe(0);
  expect(total(without, 'carrying')).toBeLessThan(100);
  // With the same seed: all groups but those before the first success.
  expect(total(empty, 'carrying')).toBeGreaterThan(180);
  expect(total(filled, 'carrying')).toBe(200);
  // Exactly the failed groups use the stored success.
  for (const epochs of [empty, filled, without])
    for (const { failed, groups, carrying, injected } of epochs) {
      expect(failed + carrying - injected).toBe(groups);
      expect(injected).toBeLessThanOrEqual(failed);
    }
  expect(total(filled, 'injected')).toBe(total(filled, 'failed'));
  expect(total(simulate(tableOf([0]), { ...UNIFORM, pool: 'filled' }, 50, seeded(1)), 'injected')).toBe(0);
});

test('tasks whose rewards never change are played less often', () => {
  const table = tableOf([0], [0], [0], HALF);
  expect(per1000(simulate(table, DART, 50, seeded(1)))).toBeGreaterThan(
    1.5 * per1000(simulate(table, UNIFORM, 50, seeded(1))),
  );
});

test('equal seeds give equal epochs', () => {
  const table = tableOf([0], HALF, SELDOM);
  expect(simulate(table, DART, 5, seeded(3))).toEqual(simulate(table, DART, 5, seeded(3)));
  expect(simulate(table, DART, 5, seeded(3))).not.toEqual(simulate(table, DART, 5, seeded(4)));
});

test('observing the results of one instance equals observing them one by one', () => {
  const tasks = ['a', 'b', 'c'].map(taskId);
  const curation = dartCuration({
    ...{
      tasks,
      seedsOf: () => [seed(0)],
      maxStepsOf: () => 10,
      rollouts: 8,
      exploration: 0,
      extraExploration: 0,
    },
    parts: ALL_PARTS,
  });
  const group = fc.record({
    task: fc.constantFrom(...tasks),
    successes: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
  });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 10 }), groups => {
      let [one, other] = [curation.start(), curation.start()];
      for (const { task, successes } of groups) {
        const instance = { task, seed: seed(0) };
        const results = successes.map((success, steps) => ({
          ...{ instance, success, score: Number(success), steps: steps + 1 },
        }));
        for (const result of results) one = curation.observe(one, result);
        other = observed(curation, other, instance, results);
      }
      expect(other).toEqual(one);
    }),
  );
});
