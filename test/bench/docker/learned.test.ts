// What learning on real desktops is said to have gained.

import { expect, test } from 'vitest';
import { arms, settingFor } from '../../../runtime/bench/docker/arms.ts';
import { gainOf, outcomeOf } from '../../../runtime/bench/docker/learned.ts';

const tried = (task: string, successes: number, trials = 4, broken = 0) => ({
  task,
  successes,
  trials,
  broken,
});

test('the gain is taken task by task, and its interval is of tasks', () => {
  const before = [tried('a', 0), tried('b', 1), tried('c', 2)];
  const after = [tried('c', 4), tried('a', 2), tried('b', 3)];
  const { mean, low, high } = gainOf(before, after);
  expect([mean, low, high].map(value => Number(value.toFixed(6)))).toEqual([0.5, 0.5, 0.5]);
  expect(gainOf(before, [tried('a', 0), tried('b', 1), tried('c', 4)]).low).toBeLessThan(0);
});

test('a task of which nothing could be tried is neither a success nor a failure', () => {
  const before = [tried('a', 1), tried('b', 0, 0, 4)];
  const { mean } = gainOf(before, [tried('a', 2), tried('b', 4)]);
  expect(mean).toBe(0.25);
});

test('seeds are counted together, and what broke is told', () => {
  const curve = [{ seconds: 3.4, rate: 0.5, low: 0.1, high: 0.9 }] as never;
  const seeds = [
    { tasks: [tried('a', 4), tried('b', 2)], curve },
    { tasks: [tried('a', 2), tried('b', 0, 2, 2)], curve },
  ];
  const chance = [tried('a', 0), tried('b', 0)];
  const { figures, certainty, series, lines } = outcomeOf(chance, [tried('a', 1), tried('b', 1)], seeds);
  expect(figures).toMatchObject({ success_random: 0, success_cloned: 0.25, success_rl: 0.5714 });
  expect(figures['gain']).toBeCloseTo((0.5 + 1 / 12) / 2, 3);
  expect(certainty['success_rl']).toMatchObject({ successes: 8, trials: 14 });
  expect(Object.keys(series).filter(name => name.startsWith('success/'))).toEqual([
    'success/seed 0',
    'success/seed 1',
  ]);
  expect(series['by task/after reinforcement learning']).toEqual([
    { x: 'a', y: 0.75 },
    { x: 'b', y: 0.3333 },
  ]);
  expect(lines.join()).toContain('2 broke');
});

test('arms differ in what they are about, and clones learn from demonstrations alone', () => {
  const setting = settingFor(40, 'an image');
  const [cloning, learning] = [arms.cloning(setting), arms.learning(setting, 0)];
  expect(cloning.trainer).toMatchObject({ policyWeight: 0, shares: { successes: 0 } });
  expect(learning.trainer.policyWeight).toBeGreaterThan(0);
  for (const same of ['suite', 'environments', 'demonstrations', 'mode'] as const)
    expect(learning[same]).toEqual(cloning[same]);
  expect(cloning.minutes + learning.minutes).toBeLessThan(40);
});
