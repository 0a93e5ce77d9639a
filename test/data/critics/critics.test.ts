// The critics of a run: when they begin to select rollouts, and which ones.

import { describe, expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import type { LessonStep } from '../../../runtime/core/lesson.ts';
import { Critics, WARM_UP_ROLLOUTS } from '../../../runtime/data/critics/critics.ts';

const EASY = { task: taskId('easy'), seed: seed(1) };
const HARD = { task: taskId('hard'), seed: seed(1) };
const STEP: LessonStep = {
  observation: { encoding: 'test', bytes: new Uint8Array() },
  choice: { kind: 'heads', decisions: [] },
};

const rollout = (reward: number, steps = 2) => ({ reward, steps: Array<LessonStep>(steps).fill(STEP) });

/** Of the easy instance every rollout succeeds, of the hard one every twentieth. */
function learned(kind: 'filtered' | 'values'): Critics {
  const critics = new Critics(kind);
  for (let round = 0; round < 200; round++) {
    critics.learn(EASY, rollout(1));
    critics.learn(HARD, rollout(Number(round % 20 === 0)));
  }
  return critics;
}

test('nothing trains while the critics learn from the first rollouts', () => {
  const critics = new Critics('values');
  for (let count = 0; count < WARM_UP_ROLLOUTS; count++) {
    expect(critics.select(EASY, [rollout(1)]).trains).toEqual([]);
    critics.learn(EASY, rollout(1));
  }
  expect(critics.select(EASY, [rollout(1)]).trains).toHaveLength(1);
});

test('the error falls while the critics learn', () => {
  const critics = new Critics('values');
  expect(critics.error()).toBeUndefined();
  critics.learn(EASY, rollout(1));
  expect(critics.error()).toBe(0.25);
  for (let round = 0; round < 1000; round++) critics.learn(EASY, rollout(1));
  expect(critics.error()).toBeLessThan(0.01);
});

describe('filtered', () => {
  test('a success trains if it was hardly expected, a failure never', () => {
    const critics = learned('filtered');
    const [success, failure] = [rollout(1), rollout(0)];
    expect(critics.select(HARD, [failure, success]).trains).toEqual([success]);
    expect(critics.select(EASY, [success, failure]).trains).toEqual([]);
    expect(critics.select(HARD, [failure]).why).toMatch(/no better/);
  });

  test('a failure does not train even where all rollouts fail', () => {
    const critics = new Critics('filtered');
    for (let round = 0; round < 100; round++) critics.learn(HARD, rollout(0));
    expect(critics.select(HARD, [rollout(0)]).trains).toEqual([]);
    expect(critics.select(HARD, [rollout(1)]).trains).toHaveLength(1);
  });

  test('the advantage of a step is 1 or 0', () => {
    const [group] = learned('filtered').advantages([{ instance: HARD, rollouts: [rollout(1, 4)] }]);
    expect(group).toEqual([[1, 1, 1, 1]]);
  });
});

describe('values', () => {
  test('rollouts of equal reward train as well', () => {
    const both = [rollout(0), rollout(0)];
    expect(learned('values').select(HARD, both).trains).toEqual(both);
  });

  test('the advantages of a batch have mean 0 and deviation 1', () => {
    const groups = [
      { instance: EASY, rollouts: [rollout(1), rollout(0, 3)] },
      { instance: HARD, rollouts: [rollout(0, 1), rollout(1, 2)] },
    ];
    const found = learned('values').advantages(groups);
    expect(found.map(group => group.map(({ length }) => length))).toEqual([
      [2, 3],
      [1, 2],
    ]);
    const all = found.flat(2);
    const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
    expect(mean).toBeCloseTo(0, 6);
    expect(Math.sqrt(all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / all.length)).toBeCloseTo(1, 4);
  });

  test('a success of the hard instance is better than one of the easy instance, and failures are the reverse', () => {
    const of = (instance: typeof EASY, reward: number) => ({ instance, rollouts: [rollout(reward, 1)] });
    const [easyWon = 0, hardWon = 0, easyLost = 0, hardLost = 0] = learned('values')
      .advantages([of(EASY, 1), of(HARD, 1), of(EASY, 0), of(HARD, 0)])
      .flat(2);
    expect(hardWon).toBeGreaterThan(easyWon);
    expect(easyWon).toBeGreaterThan(hardLost);
    expect(hardLost).toBeGreaterThan(easyLost);
  });
});
