// Groups of the recipes of related systems: replayed successes, rewards by length, and learned critics.

import { describe, expect, test } from 'vitest';
import { groupId, orderId, trajectoryId, version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Step } from '../../runtime/core/step.ts';
import { WARM_UP_ROLLOUTS } from '../../runtime/data/critics/critics.ts';
import { PositiveReplay } from '../../runtime/data/pool/positive-replay.ts';
import { NO_SHAPING } from '../../runtime/data/reward-shaping.ts';
import { packRollout, rolloutOf } from '../../runtime/data/rollouts.ts';
import { finished, INSTANCE, stepBy } from './finished-episodes.ts';
import { gathering, LOST, WON } from './gathered-groups.ts';

describe('recipes of related systems', () => {
  const advantagesIn = (made: ReturnType<ReturnType<typeof gathering>['batch']>) => {
    const [group] = made?.groups ?? [];
    return new Map(group?.steps.map(({ trajectory, advantage }) => [String(trajectory), advantage]));
  };

  test('the best success of a batch fills a share of the next one, beside the rollouts of the run', () => {
    const positives = new PositiveReplay({ share: 0.5, perBatch: 1 }, seeded('test'));
    const { order, back, gather } = gathering({ trajectoriesPerBatch: 2, positives });
    const [first, second] = ['a', 'b'].map(name => {
      order(name, 2);
      back(`${name}0`, WON);
      back(`${name}1`, LOST);
      return gather();
    });
    expect(first?.batch.groups.map(({ group }) => group)).toEqual(['a']);
    // Under a name of its own: masks of groups are stored by name.
    expect(second?.batch.groups.map(({ group }) => group)).toEqual(['b', `${second?.batch.id}-replay1`]);
    const replayed = second?.batch.groups[1];
    expect(replayed?.steps.map(({ trajectory }) => trajectory)).toEqual(['a0.t']);
    expect(replayed?.steps[0]?.advantage).toBeCloseTo(1, 4);
    expect([second?.trajectories, second?.batch.oldest]).toEqual([2, [0, 0]]);
  });

  test('a success that a person judges a failure is not replayed', () => {
    const positives = new PositiveReplay({ share: 0.5, perBatch: 1 }, seeded('test'));
    const { order, back, gather, groups } = gathering({ trajectoriesPerBatch: 2, positives });
    const made = ['a', 'b'].map(name => {
      order(name, 2);
      back(`${name}0`, WON);
      back(`${name}1`, LOST);
      const full = gather();
      groups.judge(trajectoryId('a0.t'), false);
      groups.setMembership(trajectoryId('a0.t'), false);
      return full?.batch.groups.length;
    });
    expect(made).toEqual([1, 1]);
  });

  test.each<[string, readonly boolean[], readonly boolean[], number]>([
    ['that leaves the pool after it trained is not', [], [false], 1],
    ['that leaves the pool before it trains is not', [false], [], 1],
    ['that is a member again before it trains is', [false, true], [], 2],
  ])('a success %s replayed', (_, before, after, groupsInNext) => {
    const positives = new PositiveReplay({ share: 0.5, perBatch: 1 }, seeded('test'));
    const { order, back, gather, groups } = gathering({ trajectoriesPerBatch: 2, positives });
    const play = (name: string) => {
      order(name, 2);
      back(`${name}0`, WON);
      back(`${name}1`, LOST);
    };
    const become = (memberships: readonly boolean[]) => {
      for (const isMember of memberships) groups.setMembership(trajectoryId('a0.t'), isMember);
    };
    play('a');
    become(before);
    expect(gather()?.batch.groups).toHaveLength(1);
    become(after);
    play('b');
    expect(gather()?.batch.groups).toHaveLength(groupsInNext);
  });

  test('a longer success has a lower advantage, compared with the shortest one of its instance so far', () => {
    const shaping = { ...NO_SHAPING, shortestPath: 1, overlong: 0 };
    const { order, back, batch } = gathering({ trajectoriesPerBatch: 3, advantages: 'rollouts', shaping });
    order('a', 3);
    back('a0', WON);
    back('a1', { score: 1, by: [0, 0, 0, 0] });
    back('a2', LOST);
    // Rewards 1, 1 − 3/4 and 0: mean 5/12, deviation 0.4249183.
    const first = advantagesIn(batch());
    expect(first.get('a0.t')).toBeCloseTo(1.3728129, 4);
    expect(first.get('a1.t')).toBeCloseTo(-0.3922323, 4);
    expect(first.get('a2.t')).toBeCloseTo(-0.9805807, 4);
    order('b', 3);
    back('b0', { score: 1, by: [0, 0, 0, 0] });
    back('b1', { score: 1, by: [0, 0] });
    back('b2', LOST);
    // Rewards 1/4, 1/2 and 0: mean 1/4, deviation √(1/24).
    const second = advantagesIn(batch());
    expect(second.get('b0.t')).toBeCloseTo(0, 4);
    expect(second.get('b1.t')).toBeCloseTo(1.2247449, 4);
    expect(second.get('b2.t')).toBeCloseTo(-1.2247449, 4);
  });

  /** Of successes of four and two actions, beside a failure. */
  const expectAdvantages = (
    { order, back, batch }: ReturnType<typeof gathering>,
    ofFour: number,
    ofTwo: number,
  ) => {
    order('b', 3);
    back('b0', { score: 1, by: [0, 0, 0, 0] });
    back('b1', { score: 1, by: [0, 0] });
    back('b2', LOST);
    const found = advantagesIn(batch());
    expect(found.get('b0.t')).toBeCloseTo(ofFour, 4);
    expect(found.get('b1.t')).toBeCloseTo(ofTwo, 4);
  };

  test('successes of groups that do not train, and stored ones, count as the shortest success too', () => {
    const shaping = { ...NO_SHAPING, shortestPath: 0.5, overlong: 0 };
    const first = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
    first.order('a', 2);
    for (const name of ['a0', 'a1']) first.back(name, WON);
    const second = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
    const stored = rolloutOf(finished('s', WON));
    if (stored === undefined) throw new Error('no rollout');
    second.groups.store(INSTANCE, packRollout(stored));
    // Rewards 5/8, 3/4 and 0: mean 11/24, deviation 0.3280837.
    for (const each of [first, second]) expectAdvantages(each, 0.5080005, 0.8890009);
  });

  test('a part of a trajectory, and a success that a person rejected or judged a failure, are not the shortest success', () => {
    const shaping = { ...NO_SHAPING, shortestPath: 0.5, overlong: 0 };
    const withPart = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
    const stored = rolloutOf(finished('s', WON));
    if (stored === undefined) throw new Error('no rollout');
    withPart.groups.store(INSTANCE, packRollout({ ...stored, actions: undefined }));
    const trained = () => {
      const made = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
      made.order('a', 2);
      for (const name of ['a0', 'a1']) made.back(name, name === 'a0' ? WON : LOST);
      made.batch();
      return made;
    };
    const [judged, rejected] = [trained(), trained()];
    judged.groups.judge(trajectoryId('a0.t'), false);
    for (const { groups } of [judged, rejected]) groups.setMembership(trajectoryId('a0.t'), false);
    // Rewards 3/4, 1 and 0: mean 7/12, deviation 0.4249183.
    for (const each of [withPart, judged, rejected]) expectAdvantages(each, 0.3922323, 0.9805807);
  });

  test('a step limit counts the actions of a rollout, also where a turn has several', () => {
    const shaping = { ...NO_SHAPING, shortestPath: 0, overlong: 0.5 };
    const { back, batch, groups } = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
    groups.open(groupId('a'), INSTANCE, ['a0', 'a1', 'a2'].map(orderId), 10);
    back('a0', WON);
    back('a1', LOST);
    const [first = stepBy(0)] = finished('a2', LOST).steps;
    const sameTurn: Step = { ...first, chosen: { version: version(0), trace: { kind: 'same-turn' } } };
    const steps = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? first : sameTurn));
    groups.receive(orderId('a2'), rolloutOf(finished('a2', LOST, { steps })), version(0));
    // Rewards 1, 0 and −1.
    expect(advantagesIn(batch()).get('a2.t')).toBeCloseTo(-1.2247449, 4);
  });

  test('a rollout near its step limit has a penalty', () => {
    const shaping = { ...NO_SHAPING, shortestPath: 0, overlong: 0.5 };
    const { back, batch, groups } = gathering({ trajectoriesPerBatch: 3, advantages: 'rollouts', shaping });
    groups.open(groupId('a'), INSTANCE, ['a0', 'a1', 'a2'].map(orderId), 10);
    back('a0', WON);
    back('a1', LOST);
    back('a2', { score: 0, by: Array<number>(10).fill(0) });
    // Rewards 1, 0 and −1: mean 0, deviation √(2/3).
    const found = advantagesIn(batch());
    expect(found.get('a0.t')).toBeCloseTo(1.2247449, 4);
    expect(found.get('a1.t')).toBeCloseTo(0, 4);
    expect(found.get('a2.t')).toBeCloseTo(-1.2247449, 4);
  });
});

/** The group that completes the warm-up trains. */
const EARLY = WARM_UP_ROLLOUTS - 2;

/** Groups of two with learned critics, after the rollouts that only the critics learn from. */
function withCritics(advantages: 'filtered' | 'values') {
  const made = gathering({ advantages, trajectoriesPerBatch: 2 });
  for (let count = 0; count < EARLY / 2; count++) {
    made.order(`early${count}-`, 2);
    for (const index of [0, 1]) made.back(`early${count}-${index}`, LOST);
  }
  expect(made.ledger.counts()).toMatchObject({ filtered: EARLY, running: 0 });
  return made;
}

test('a critic gives each step of a rollout its own advantage', () => {
  const { order, back, batch, ledger } = withCritics('values');
  order('a', 2);
  back('a0', { score: 1, by: [0, 0] });
  back('a1', LOST);
  const [group] = batch()?.groups ?? [];
  expect(group?.steps.map(({ trajectory, index }) => `${trajectory} ${index}`)).toEqual([
    ...['a0.t 0', 'a0.t 1', 'a1.t 0'],
  ]);
  const [first = 0, second = 0, lost = 0] = group?.steps.map(({ advantage }) => advantage) ?? [];
  expect(Math.min(first, second)).toBeGreaterThan(0.4);
  expect(first).not.toBe(second);
  expect(lost).toBeLessThan(0);
  expect(ledger.counts()).toMatchObject({ accepted: 2, running: 0 });
});

test('rollouts that critics do not select release their capacity at once', () => {
  const { order, back, batch, ledger, decided } = withCritics('filtered');
  order('a', 2);
  order('b', 2);
  back('a0', WON);
  back('a1', LOST);
  expect(ledger.counts()).toMatchObject({ filtered: EARLY + 1, running: 3 });
  expect(decided.at(-1)).toMatchObject({
    kind: 'set aside',
    group: 'a',
    filtered: 1,
    why: expect.stringMatching(/^not in the best/),
  });
  expect(batch()).toBeUndefined();
  back('b0', LOST);
  back('b1', WON);
  const { groups = [] } = batch() ?? {};
  expect(
    groups.map(({ steps }) => steps.map(({ trajectory, advantage }) => [trajectory, advantage])),
  ).toEqual([[['a0.t', 1]], [['b1.t', 1]]]);
  expect(ledger.counts()).toMatchObject({ accepted: 2, filtered: EARLY + 2, running: 0 });
});
