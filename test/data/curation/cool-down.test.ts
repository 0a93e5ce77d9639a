// The failure curriculum of MobileRL.

import { expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { failedEpochsOf, samplingWeight } from '../../../runtime/data/curation/cool-down.ts';
import { ALL_PARTS, type DartState, dartCuration, NO_PARTS } from '../../../runtime/data/curation/dart.ts';

const ROLLOUTS = 4;
const curation = dartCuration({
  tasks: ['easy', 'hard'].map(taskId),
  seedsOf: () => [seed(1)],
  maxStepsOf: () => 10,
  ...{ rollouts: ROLLOUTS, exploration: 0, extraExploration: 0 },
  parts: { ...NO_PARTS, coolDown: true },
});

const observed = (state: DartState, task: string, successes: readonly boolean[]): DartState =>
  successes.reduce(
    (before, success) =>
      curation.observe(before, {
        ...{ instance: { task: taskId(task), seed: seed(1) }, success },
        ...{ score: Number(success), steps: 3 },
      }),
    state,
  );
const failed = (count: number) => Array<boolean>(count).fill(false);

function played(from: DartState, count: number, random = seeded('test')) {
  let state = from;
  const tasks = Array.from({ length: count }, () => {
    const next = curation.next(state, random);
    if (next === undefined) throw new Error('nothing was planned');
    state = next.state;
    return next.planned.instance.task;
  });
  return { state, hard: tasks.filter(task => task === 'hard').length };
}

test('the sampling weight is exp(−f) from the second failed epoch, and 0 after three rounds', () => {
  expect([0, 1].map(failures => samplingWeight(failures, 9))).toEqual([1, 1]);
  expect([0, 3].map(rounds => samplingWeight(2, rounds))).toEqual([Math.exp(-2), Math.exp(-2)]);
  expect(samplingWeight(2, 0)).toBeCloseTo(0.1353353, 7);
  expect(samplingWeight(3, 1)).toBeCloseTo(0.0497871, 7);
  expect(samplingWeight(2, 4)).toBe(0);
  expect([0, 3, 4, 7, 8].map(failures => failedEpochsOf(failures, 4))).toEqual([0, 0, 1, 1, 2]);
});

test('a task that fails for two epochs cools down and is removed, until a success returns it', () => {
  const start = curation.start();
  expect(played(observed(start, 'hard', failed(7)), 100).hard).toBe(50);
  const cooling = observed(start, 'hard', failed(8));
  const { state } = played(cooling, 20);
  // Three rounds with a chance of exp(−2) each, then none.
  expect(played(cooling, 20).hard).toBeLessThanOrEqual(4);
  expect(played(state, 200).hard).toBe(0);
  // A rollout that was still running succeeds.
  expect(played(observed(state, 'hard', [true]), 100).hard).toBeGreaterThanOrEqual(49);
});

test('something is played even if all tasks are removed', () => {
  const all = observed(observed(curation.start(), 'hard', failed(40)), 'easy', failed(40));
  expect(played({ ...all, rounds: 50 }, 30).state.rounds).toBeGreaterThan(50);
});

test('a single task that always fails is played for ever, also while its visits are seldom', () => {
  const alone = dartCuration({
    tasks: [taskId('hard')],
    seedsOf: () => [seed(1)],
    maxStepsOf: () => 10,
    ...{ rollouts: ROLLOUTS, exploration: 0, extraExploration: 0 },
    parts: { ...ALL_PARTS, coolDown: true },
  });
  const random = seeded('alone');
  let state = alone.start();
  for (let count = 0; count < 300; count++) {
    const next = alone.next(state, random);
    if (next === undefined) throw new Error(`nothing was planned after ${count} groups`);
    state = next.state;
    for (const success of failed(ROLLOUTS))
      state = alone.observe(state, { instance: next.planned.instance, success, score: 0, steps: 3 });
  }
});
