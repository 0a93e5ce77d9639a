// The curriculum of CRAFT-GUI: stages of growing difficulty that open one after another.

import { expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { type DartState, dartCuration, NO_PARTS } from '../../../runtime/data/curation/dart.ts';
import { isMastered, stagesOf } from '../../../runtime/data/curation/stages.ts';

const LIMITS: Readonly<Record<string, number>> = { long: 30, short: 5, middle: 12, brief: 5 };
const curation = dartCuration({
  tasks: Object.keys(LIMITS).map(taskId),
  seedsOf: () => [seed(1), seed(2)],
  // Only the second instance is as long as its task.
  maxStepsOf: ({ task, seed: instance }) => (LIMITS[task] ?? 0) - (instance === 1 ? 4 : 0),
  ...{ rollouts: 4, exploration: 0, extraExploration: 0 },
  parts: { ...NO_PARTS, stages: 3 },
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

function played(from: DartState, count: number): ReadonlySet<string> {
  const random = seeded('stages');
  let state = from;
  const tasks = new Set<string>();
  for (let index = 0; index < count; index++) {
    const next = curation.next(state, random);
    if (next === undefined) throw new Error('nothing was planned');
    state = next.state;
    tasks.add(next.planned.instance.task);
  }
  return tasks;
}

test('tasks are sorted by difficulty into stages of equal size, and ties keep their order', () => {
  const stages = (count: number) => [...stagesOf(Object.keys(LIMITS), task => LIMITS[task] ?? 0, count)];
  expect(stages(2)).toEqual([
    ['short', 0],
    ['brief', 0],
    ['middle', 1],
    ['long', 1],
  ]);
  expect(stages(3).map(([, stage]) => stage)).toEqual([0, 0, 1, 2]);
  // More stages than tasks: some have none.
  expect(stages(8).map(([, stage]) => stage)).toEqual([0, 2, 4, 6]);
});

test('the difficulty of each task is computed once', () => {
  const asked: string[] = [];
  const difficulty = (task: string) => {
    asked.push(task);
    return LIMITS[task] ?? 0;
  };
  stagesOf(Object.keys(LIMITS), difficulty, 2);
  expect(asked).toEqual(Object.keys(LIMITS));
});

test('a stage is mastered at a mean success rate of 0.6; a task without results has 0', () => {
  expect(isMastered([[true, true, true, false, false]])).toBe(true);
  expect(isMastered([[true], [true, false, false, false, false]])).toBe(true);
  expect(isMastered([[true], [true, false, false, false, false, false]])).toBe(false);
  expect(isMastered([[true], []])).toBe(false);
  expect(isMastered([])).toBe(true);
});

test('only the easiest tasks are played, until they succeed; then the next ones are added for good', () => {
  const start = curation.start();
  expect(played(start, 40)).toEqual(new Set(['short', 'brief']));
  const one = observed(start, 'short', [true]);
  expect(played(one, 40)).toEqual(new Set(['short', 'brief']));
  const two = observed(one, 'brief', [true, false]);
  expect(two.stage).toBe(1);
  expect(played(two, 40)).toEqual(new Set(['short', 'brief', 'middle']));
  // The first stage gets worse: the second one stays open.
  const worse = observed(two, 'short', Array<boolean>(16).fill(false));
  expect(played(worse, 40)).toContain('middle');
  const three = observed(worse, 'middle', [true]);
  expect(played(three, 60)).toEqual(new Set(['short', 'brief', 'middle', 'long']));
  expect(observed(three, 'long', [true]).stage).toBe(2);
});

test('without stages all tasks are played from the start, and the state has none', () => {
  const all = dartCuration({
    tasks: ['a', 'b'].map(taskId),
    seedsOf: () => [seed(1)],
    maxStepsOf: () => 9,
    ...{ rollouts: 4, exploration: 0, extraExploration: 0 },
    parts: { ...NO_PARTS, stages: 1 },
  });
  const state = all.observe(all.start(), {
    ...{ instance: { task: taskId('a'), seed: seed(1) }, success: true, score: 1, steps: 3 },
  });
  expect(state.stage).toBeUndefined();
});
