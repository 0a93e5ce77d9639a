// The critics of a run: when they begin to select rollouts, and which ones.

import { describe, expect, test } from 'vitest';
import { encodeChat } from '../../../runtime/agents/model/chat-observation.ts';
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

function learnedBy<Rollout extends Parameters<Critics['learn']>[1]>(
  critics: Critics,
  instance: typeof EASY,
  ...rollouts: readonly Rollout[]
): readonly Rollout[] {
  for (const each of rollouts) critics.learn(instance, each);
  return rollouts;
}

/** Of the easy instance every rollout succeeds, of the hard one every twentieth. */
function trained(kind: 'filtered' | 'values'): Critics {
  const critics = new Critics(kind);
  for (let round = 0; round < 200; round++)
    for (const [instance, reward] of [
      [EASY, 1],
      [HARD, Number(round % 20 === 0)],
    ] as const)
      learnedBy(critics, instance, rollout(reward));
  return critics;
}

test('nothing trains while the critics learn from the first rollouts', () => {
  const critics = new Critics('values');
  const pair = () => learnedBy(critics, EASY, rollout(1), rollout(0));
  for (let count = 2; count < WARM_UP_ROLLOUTS; count += 2) expect(critics.select(pair()).trains).toEqual([]);
  expect(critics.select(pair()).trains).toHaveLength(2);
});

describe('the error', () => {
  test('falls while the critics learn', () => {
    const critics = new Critics('values');
    expect(critics.error()).toBeUndefined();
    learnedBy(critics, EASY, rollout(1));
    expect(critics.error()).toBe(0.25);
    for (let round = 0; round < 1000; round++) learnedBy(critics, EASY, rollout(1));
    expect(critics.error()).toBeLessThan(0.01);
  });

  test('is that of the critic that decides: the critic of steps sees the result coming', () => {
    const seeing = (reward: number): LessonStep => ({
      ...STEP,
      observation: encodeChat([
        { role: 'user', parts: [{ type: 'text', text: reward === 1 ? 'sent' : 'lost' }] },
      ]),
    });
    const errorOf = (kind: 'filtered' | 'values') => {
      const critics = new Critics(kind);
      for (let round = 0; round < 1000; round++)
        learnedBy(critics, EASY, { reward: round % 2, steps: [seeing(round % 2)] });
      return critics.error() ?? Number.NaN;
    };
    expect(errorOf('values')).toBeLessThan(0.05);
    // With two equally likely results, no value of the instance has a smaller error than ¼.
    expect(errorOf('filtered')).toBeGreaterThan(0.24);
  });
});

describe('filtered', () => {
  test('a success trains if it was hardly expected, a failure never', () => {
    const critics = trained('filtered');
    const hard = learnedBy(critics, HARD, rollout(0), rollout(1));
    const easy = learnedBy(critics, EASY, rollout(1), rollout(0));
    expect(critics.select(hard)).toMatchObject({ trains: [hard[1]], why: expect.stringMatching(/^better/) });
    expect(critics.select(easy).trains).toEqual([]);
  });

  test('a failure does not train even where all rollouts fail', () => {
    const critics = new Critics('filtered');
    for (let round = 0; round < 100; round++) learnedBy(critics, HARD, rollout(0));
    expect(critics.select(learnedBy(critics, HARD, rollout(0))).trains).toEqual([]);
    expect(critics.select(learnedBy(critics, HARD, rollout(1))).trains).toHaveLength(1);
  });

  test('later rollouts do not change the selection of a rollout that waits, but a person’s verdict does', () => {
    const critics = trained('filtered');
    const [waiting = rollout(1)] = learnedBy(critics, HARD, rollout(1));
    for (let round = 0; round < 200; round++) learnedBy(critics, HARD, rollout(1));
    expect(critics.select([waiting]).trains).toEqual([waiting]);
    expect(critics.select([{ ...waiting, reward: 0 }]).trains).toEqual([]);
  });

  test('the advantage of a step is 1 or 0', () => {
    const critics = trained('filtered');
    expect(critics.advantages(learnedBy(critics, HARD, rollout(1, 4)))).toEqual([[1, 1, 1, 1]]);
  });
});

describe('values', () => {
  test('a group with different rewards trains as a whole, one with equal rewards does not', () => {
    const critics = trained('values');
    const both = learnedBy(critics, HARD, rollout(0), rollout(1));
    expect(critics.select(both).trains).toEqual(both);
    expect(critics.select(learnedBy(critics, HARD, rollout(0), rollout(0))).trains).toEqual([]);
  });

  test('a success of the hard instance is better than one of the easy instance, and failures are the reverse', () => {
    const critics = trained('values');
    const of = (instance: typeof EASY, reward: number) => learnedBy(critics, instance, rollout(reward, 1));
    const [easyWon = 0, hardWon = 0, easyLost = 0, hardLost = 0] = critics
      .advantages([of(EASY, 1), of(HARD, 1), of(EASY, 0), of(HARD, 0)].flat())
      .flat();
    // Hardly surprising results teach hardly anything.
    for (const surprising of [hardWon, easyLost]) expect(Math.abs(surprising)).toBeGreaterThan(0.8);
    for (const expected of [easyWon, hardLost]) expect(Math.abs(expected)).toBeLessThan(0.2);
    expect(hardWon).toBeGreaterThan(easyWon);
    expect(easyWon).toBeGreaterThan(hardLost);
    expect(hardLost).toBeGreaterThan(easyLost);
  });

  test('the baseline of a rollout is from before its reward, and a long rollout moves it no more than a short one', () => {
    const critics = new Critics('values');
    for (let round = 0; round < 400; round++) learnedBy(critics, HARD, rollout(round % 2, 30));
    const [won = [], lost = []] = critics.advantages(learnedBy(critics, HARD, rollout(1, 1), rollout(0, 1)));
    // V is near ½ before each result. A value that has the reward already would lie nearer to it.
    expect(won[0]).toBeGreaterThan(0.4);
    expect(lost[0]).toBeLessThan(-0.45);
    expect(critics.error()).toBeLessThan(0.32);
  });
});
