// The DART curriculum, also with single parts disabled.

import { expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import {
  ALL_PARTS,
  type DartOptions,
  type DartState,
  dartCuration,
  NO_PARTS,
} from '../../../runtime/data/curation/dart.ts';

const TASKS = ['a', 'b', 'c'].map(taskId);
const SEEDS = [seed(1), seed(2)];
const OPTIONS: DartOptions = {
  tasks: TASKS,
  seedsOf: () => SEEDS,
  maxStepsOf: ({ task }) => (task === 'a' ? 5 : 9),
  rollouts: 8,
  exploration: 0.05,
  extraExploration: 0.3,
  parts: ALL_PARTS,
  caps: { margin: 1.25, floor: 4 },
};
const curation = dartCuration(OPTIONS);

const observed = (state: DartState, task: string, results: readonly boolean[], steps = 3): DartState =>
  results.reduce(
    (before, success) =>
      curation.observe(before, {
        instance: { task: taskId(task), seed: seed(1) },
        success,
        score: success ? 1 : 0,
        steps,
      }),
    state,
  );

function plans(from: DartState, count: number, chance = seeded(1), by = curation) {
  let state = from;
  return Array.from({ length: count }, () => {
    const next = by.next(state, chance);
    if (next === undefined) throw new Error('nothing was planned');
    state = next.state;
    return next.planned;
  });
}

const times = (count: number, result: boolean) => Array.from({ length: count }, () => result);

test('every round has every task once, and all seeds occur over time, each with its length cap', () => {
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

test('a higher success rate gives fewer rollouts, with the reason', () => {
  const state = observed(curation.start(), 'a', [...times(4, true), false]);
  const planned = plans(state, 3);
  const of = (task: string) => planned.find(({ instance }) => instance.task === task);
  expect(of('a')).toMatchObject({ rollouts: 4, why: expect.stringContaining('4 of the last 5 succeeded') });
  expect(of('b')).toMatchObject({ rollouts: 8, why: expect.stringContaining('no results yet') });
});

test('an instance has extra exploration until it is solved once', () => {
  const dared = (state: DartState) =>
    new Map(
      plans(state, 60).map(({ instance: { task, seed: number }, extraExploration }) => [
        `${task} ${number}`,
        extraExploration,
      ]),
    );
  expect(new Set(dared(curation.start()).values())).toEqual(new Set([0.3]));
  const solved = dared(observed(curation.start(), 'a', [true, false]));
  expect([...solved].filter(([, daring]) => daring === undefined)).toEqual([['a 1', undefined]]);
  expect(dared(observed(curation.start(), 'a', [false])).get('a 1')).toBe(0.3);
});

test('the more often a task succeeds, the less extra exploration it has', () => {
  const extra = (results: readonly boolean[]) =>
    plans(observed(curation.start(), 'a', results), 60).find(
      ({ instance: { task, seed: number } }) => task === 'a' && number === seed(2),
    )?.extraExploration;
  expect(extra(times(4, false))).toBe(0.3);
  expect(extra([true, false])).toBeCloseTo(0.075);
  // Not below the usual exploration.
  expect(extra([...times(9, true), false])).toBeUndefined();
  expect(extra(times(4, true))).toBeUndefined();
});

test('without extra exploration, no group has any or says so', () => {
  const quiet = dartCuration({ ...OPTIONS, extraExploration: 0 });
  for (const { extraExploration, why } of plans(quiet.start(), 20, seeded(1), quiet)) {
    expect(extraExploration).toBeUndefined();
    expect(why).not.toContain('exploration');
  }
});

test.each([true, false])(
  'a task whose results are always %s comes one time in four, and is never forgotten',
  always => {
    const state = observed(curation.start(), 'a', times(16, always));
    const counted = plans(state, 90).filter(({ instance }) => instance.task === 'a').length;
    expect(counted).toBe(10);
  },
);

test('there is always a next group, also if all tasks are unchanging', () => {
  let state = curation.start();
  for (const task of TASKS) state = observed(state, task, times(16, false));
  const planned = plans(state, 12);
  expect(new Set(planned.map(({ instance }) => instance.task))).toEqual(new Set(TASKS));
});

test('only recent results count', () => {
  const state = observed(curation.start(), 'a', [...times(30, false), ...times(16, true)]);
  expect(curation.rates(state)).toEqual({ a: 1 });
  expect(curation.rates(observed(state, 'b', [true, false]))).toEqual({ a: 1, b: 0.5 });
});

test('without tasks there is no group, and a task without seeds is an error', () => {
  const options = { ...OPTIONS, tasks: [], seedsOf: () => [] };
  const none = dartCuration(options);
  expect(none.next(none.start(), seeded(1))).toBeUndefined();
  const seedless = dartCuration({ ...options, tasks: [taskId('x')] });
  expect(() => seedless.next(seedless.start(), seeded(1))).toThrow('The task x has no training seeds');
});

test('a saved state continues like the original', () => {
  const random = seeded(3);
  const state = observed(curation.start(), 'b', [true, false, true]);
  const restored: DartState = JSON.parse(JSON.stringify(state));
  expect(plans(restored, 9, seeded(4))).toEqual(plans(state, 9, seeded(4)));
  expect(plans(state, 9, random)).not.toEqual(plans(state, 9, seeded(4)));
});

test('a task that the suite no longer has leaves the round of a saved state', () => {
  const state: DartState = { ...curation.start(), round: ['removed', 'a', 'removed'].map(taskId) };
  const played = plans(state, 4).map(({ instance }) => instance.task);
  expect(played[0]).toBe('a');
  expect(played.slice(1).sort()).toEqual(TASKS);
});

const of = (task: string, planned: ReturnType<typeof plans>) =>
  planned.filter(({ instance }) => instance.task === task);

test('episodes are capped above the longest recent success, except in one group in eight', () => {
  const state = observed(curation.start(), 'b', [true, false, true], 4);
  const caps = of('b', plans(state, 3 * 24)).map(({ maxSteps }) => maxSteps);
  expect(caps).toEqual(Array.from({ length: 24 }, (_, index) => (index % 8 === 7 ? 9 : 5)));
  // A task that has none is played as long as it may be, and one does not cap another.
  expect(new Set(of('c', plans(state, 30)).map(({ maxSteps }) => maxSteps))).toEqual(new Set([9]));
});

test('a cap grows with longer successes, and is removed without recent successes', () => {
  const capOf = (state: DartState) => of('b', plans(state, 12))[0]?.maxSteps;
  const short = observed(curation.start(), 'b', [true], 3);
  expect(capOf(short)).toBe(4);
  expect(capOf(observed(short, 'b', [true], 6))).toBe(8);
  expect(capOf(observed(short, 'b', times(63, false)))).toBe(4);
  expect(capOf(observed(short, 'b', times(64, false)))).toBe(9);
});

test('every group has the reason for its task, rollout number and length', () => {
  const whyOf = (state: DartState, by = curation) => of('b', plans(state, 12, seeded(1), by))[0]?.why;
  const bolder = '; more exploration in every second rollout (30 %): this instance was never solved';
  expect(whyOf(curation.start())).toBe(
    `next task of the round; 8 rollouts: no results yet; at most 9 steps (limit of the task: no recent success)${bolder}`,
  );
  let state = observed(curation.start(), 'b', times(16, true));
  state = curation.observe(state, {
    instance: { task: taskId('b'), seed: seed(2) },
    success: true,
    score: 1,
    steps: 4,
  });
  expect(plans(state, 40).find(({ instance }) => instance.task === 'b')?.why).toBe(
    'revisit: the last 16 rollouts all succeeded; 2 rollouts: 16 of the last 16 succeeded; at most 5 steps (cap: the longest recent success took 4)',
  );
  expect(whyOf(observed(state, 'b', [true], 8))).toContain(
    'at most 9 steps (limit of the task: the longest recent success took 8)',
  );
  expect(whyOf(state, dartCuration({ ...OPTIONS, parts: NO_PARTS }))).toBe(
    'next task of the round; 8 rollouts, as in every group; at most 9 steps (limit of the task)',
  );
  expect(of('b', plans({ ...state, capped: { b: 7 } }, 40))[0]?.why).toContain('one group in 8 has no cap');
});

test('with all parts disabled, every round has every task, with equal number and length', () => {
  const uniform = dartCuration({ ...OPTIONS, parts: NO_PARTS });
  const state = observed(observed(uniform.start(), 'a', times(16, true), 2), 'b', times(16, false));
  const planned = plans(state, 30, seeded(2), uniform);
  for (const task of ['a', 'b', 'c']) expect(of(task, planned)).toHaveLength(10);
  expect(new Set(planned.map(({ rollouts }) => rollouts))).toEqual(new Set([8]));
  for (const { instance, maxSteps } of planned) expect(maxSteps).toBe(instance.task === 'a' ? 5 : 9);
});

test.each(['rolloutNumber', 'revisits', 'length'] as const)('disabling %s leaves the other parts', part => {
  const without = dartCuration({ ...OPTIONS, parts: { ...ALL_PARTS, [part]: false } });
  const planned = of('b', plans(observed(without.start(), 'b', times(16, true)), 60, seeded(3), without));
  expect(planned[0]?.rollouts === 2).toBe(part !== 'rolloutNumber');
  expect(planned.length < 10).toBe(part !== 'revisits');
  expect(planned[0]?.maxSteps === 4).toBe(part !== 'length');
});

test('a state without length caps of an earlier version can be continued', () => {
  const { lengths: _, capped: __, ...older } = observed(curation.start(), 'b', [true, false]);
  expect(of('b', plans(older, 3))[0]?.maxSteps).toBe(9);
  expect(of('b', plans(observed(older, 'b', [true], 3), 3))[0]?.maxSteps).toBe(4);
});

test('a task that fails keeps all its visits until the patience ends, and again after a success', () => {
  const patient = dartCuration({ ...OPTIONS, patience: 40 });
  const visits = (state: DartState) =>
    plans(state, 60, seeded(1), patient).filter(({ instance }) => instance.task === 'a').length;
  expect(visits(observed(patient.start(), 'a', times(32, false)))).toBe(20);
  expect(visits(observed(patient.start(), 'a', times(40, false)))).toBeLessThan(10);
  const lucky = observed(patient.start(), 'a', [...times(40, false), true, ...times(20, false)]);
  expect(visits(lucky)).toBe(20);
});

test('a task may have a name that every object inherits', () => {
  const task = 'constructor';
  const parts = { ...ALL_PARTS, coolDown: true, stages: 2 };
  const own = dartCuration({ ...OPTIONS, tasks: [taskId(task), taskId('__proto__')], parts });
  const [planned] = plans(own.start(), 1, seeded(1), own);
  expect(planned?.instance.task).toBe(task);
  const once = { instance: { task: taskId(task), seed: seed(1) }, success: false, score: 0, steps: 3 };
  const state = [false, true, true].reduce(
    (before, success) => own.observe(before, { ...once, success, score: Number(success) }),
    own.start(),
  );
  expect(own.rates(state)).toEqual({ [task]: 2 / 3 });
  expect(state.stage).toBe(1);
  const proto = own.observe(state, { ...once, instance: { task: taskId('__proto__'), seed: seed(1) } });
  expect(new Map(Object.entries(own.rates(proto)))).toEqual(
    new Map([
      [task, 2 / 3],
      ['__proto__', 0],
    ]),
  );
  expect(plans(proto, 8, seeded(1), own)).toHaveLength(8);
});
