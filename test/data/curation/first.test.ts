import { expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/contracts/ids.ts';
import { seeded } from '../../../runtime/contracts/world.ts';
import { type FirstState, firstCuration } from '../../../runtime/data/curation/first.ts';

const TASKS = ['a', 'b', 'c'].map(taskId);
const SEEDS = [seed(1), seed(2)];
const curation = firstCuration({
  tasks: TASKS,
  seedsOf: () => SEEDS,
  maxStepsOf: ({ task }) => (task === 'a' ? 5 : 9),
  rollouts: 8,
  daring: 0.3,
});

const observed = (state: FirstState, task: string, results: readonly boolean[]): FirstState =>
  results.reduce(
    (before, success) =>
      curation.observe(before, {
        instance: { task: taskId(task), seed: seed(1) },
        success,
        score: success ? 1 : 0,
        steps: 3,
      }),
    state,
  );

function plans(from: FirstState, count: number, chance = seeded(1)) {
  let state = from;
  return Array.from({ length: count }, () => {
    const next = curation.next(state, chance);
    if (next === undefined) throw new Error('nothing was planned');
    state = next.state;
    return next.planned;
  });
}

const times = (count: number, result: boolean) => Array.from({ length: count }, () => result);

test('every task has its turn before one comes again, on all of its seeds in time, under its own length cap', () => {
  const planned = plans(curation.start(), 60);
  for (let round = 0; round < 60; round += 3)
    expect(
      planned
        .slice(round, round + 3)
        .map(({ instance }) => instance.task)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
  expect(new Set(planned.map(({ instance }) => instance.seed))).toEqual(new Set(SEEDS));
  for (const { instance, maxSteps } of planned) expect(maxSteps).toBe(instance.task === 'a' ? 5 : 9);
});

test('the surer a task is, the fewer rollouts it gets, and it says why', () => {
  const state = observed(curation.start(), 'a', [...times(4, true), false]);
  const planned = plans(state, 3);
  const of = (task: string) => planned.find(({ instance }) => instance.task === task);
  expect(of('a')).toMatchObject({ rollouts: 4, why: 'its turn; 4 of its last 5 succeeded' });
  expect(of('b')).toMatchObject({ rollouts: 8, why: 'its turn; never tried before' });
});

test('an instance is tried more freely until it was solved once, and no other is', () => {
  const dared = (state: FirstState) =>
    new Map(
      plans(state, 60).map(({ instance: { task, seed: number }, daring }) => [`${task} ${number}`, daring]),
    );
  expect(new Set(dared(curation.start()).values())).toEqual(new Set([0.3]));
  const solved = dared(observed(curation.start(), 'a', [true, false]));
  expect([...solved].filter(([, daring]) => daring === undefined)).toEqual([['a 1', undefined]]);
  expect(dared(observed(curation.start(), 'a', [false])).get('a 1')).toBe(0.3);
});

test.each([true, false])(
  'a task whose results are always %s comes one time in four, and is never forgotten',
  always => {
    const state = observed(curation.start(), 'a', times(16, always));
    const counted = plans(state, 90).filter(({ instance }) => instance.task === 'a').length;
    expect(counted).toBe(10);
  },
);

test('there is always something to roll out, even where nothing changes any more', () => {
  let state = curation.start();
  for (const task of TASKS) state = observed(state, task, times(16, false));
  const planned = plans(state, 12);
  expect(new Set(planned.map(({ instance }) => instance.task))).toEqual(new Set(TASKS));
});

test('only the last results count', () => {
  const state = observed(curation.start(), 'a', [...times(30, false), ...times(16, true)]);
  expect(curation.rates(state)).toEqual({ a: 1 });
  expect(curation.rates(observed(state, 'b', [true, false]))).toEqual({ a: 1, b: 0.5 });
});

test('without tasks there is nothing, and a task without seeds is an error that names it', () => {
  const options = { tasks: [], seedsOf: () => [], maxStepsOf: () => 1, rollouts: 2, daring: 0 };
  const none = firstCuration(options);
  expect(none.next(none.start(), seeded(1))).toBeUndefined();
  const seedless = firstCuration({ ...options, tasks: [taskId('x')] });
  expect(() => seedless.next(seedless.start(), seeded(1))).toThrow('The task x has no training seeds');
});

test('it goes on from saved plain data as it would have gone on', () => {
  const random = seeded(3);
  const state = observed(curation.start(), 'b', [true, false, true]);
  const restored: FirstState = JSON.parse(JSON.stringify(state));
  expect(plans(restored, 9, seeded(4))).toEqual(plans(state, 9, seeded(4)));
  expect(plans(state, 9, random)).not.toEqual(plans(state, 9, seeded(4)));
});
