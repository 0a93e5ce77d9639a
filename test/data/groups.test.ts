import { describe, expect, test } from 'vitest';
import { batchId, groupId, orderId, trajectoryId, version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Step } from '../../runtime/core/step.ts';
import { WARM_UP_ROLLOUTS } from '../../runtime/data/critics/critics.ts';
import type { GroupDecision } from '../../runtime/data/files/decision-lines.ts';
import { Groups, type GroupsOptions } from '../../runtime/data/groups.ts';
import { PositiveReplay } from '../../runtime/data/pool/positive-replay.ts';
import { NO_SHAPING } from '../../runtime/data/reward-shaping.ts';
import { RolloutLedger } from '../../runtime/data/rollout-ledger.ts';
import { packRollout, rolloutOf, type TrainingRollout } from '../../runtime/data/rollouts.ts';
import { finished, INSTANCE, stepBy, type Told } from './finished.ts';

function gathering(
  options: Partial<
    Pick<
      GroupsOptions,
      | 'trajectoriesPerBatch'
      | 'stepsPerBatch'
      | 'successPool'
      | 'previous'
      | 'advantages'
      | 'shaping'
      | 'positives'
    >
  > = {},
) {
  const ledger = new RolloutLedger();
  const decided: GroupDecision[] = [];
  const groups = new Groups({
    maxStaleness: 1,
    trajectoriesPerBatch: 4,
    stepsPerBatch: 1000,
    successPool: true,
    ...{ advantages: 'steps', shaping: NO_SHAPING },
    positives: new PositiveReplay({ share: 0, perBatch: 1 }, seeded('test')),
    ...options,
    ledger,
    onDecision: each => decided.push(each),
  });
  return {
    groups,
    ledger,
    decided,
    order: (name: string, rollouts: number) => {
      const orders = Array.from({ length: rollouts }, (_, index) => orderId(`${name}${index}`));
      groups.open(groupId(name), INSTANCE, orders);
    },
    back: (order: string, told: Told, now = 0) =>
      groups.receive(orderId(order), rolloutOf(finished(order, told)), version(now)),
    gather: (now = 0) => groups.batch(() => batchId('b'), version(now)),
    batch: (now = 0) => groups.batch(() => batchId('b'), version(now))?.batch,
  };
}

const [WON, LOST, BROKE] = [{ score: 1 }, { score: 0 }, { score: undefined }];

test('a batch is full at a number of trajectories, in whole groups, oldest first', () => {
  const { order, back, batch, gather, ledger, decided } = gathering();
  for (const name of ['a', 'b', 'c']) order(name, 2);
  for (const name of ['b', 'a', 'c']) {
    expect(batch()).toBeUndefined();
    back(`${name}0`, WON);
    expect(batch()).toBeUndefined();
    back(`${name}1`, LOST);
    if (name === 'a') break;
  }
  const { batch: made, trajectories } = gather() ?? {};
  expect(made?.groups.map(({ group }) => group)).toEqual(['b', 'a']);
  expect([trajectories, made?.oldest]).toEqual([4, [0, 0, 0, 0]]);
  expect(ledger.counts()).toMatchObject({ submitted: 6, accepted: 4, running: 2 });
  expect(decided.map(({ kind, group }) => `${group} ${kind}`)).toEqual(['b trained', 'a trained']);
  expect(batch()).toBeUndefined();
});

test('a batch is full at a number of steps', () => {
  const { order, back, batch } = gathering({ stepsPerBatch: 5 });
  order('a', 2);
  back('a0', { score: 1, by: [0, 0] });
  back('a1', { score: 0, by: [0, 0, 0] });
  const [group] = batch()?.groups ?? [];
  expect(group?.steps.map(({ trajectory, index }) => `${trajectory} ${index}`)).toEqual([
    ...['a0.t 0', 'a0.t 1', 'a1.t 0', 'a1.t 1', 'a1.t 2'],
  ]);
  expect(group?.steps[0]?.advantage).toBeCloseTo(Math.sqrt(3 / 2), 4);
  expect(group?.steps[4]?.advantage).toBeCloseTo(-Math.sqrt(2 / 3), 4);
  const decisions = [{ head: 'kind', choice: 1, logProbability: -1 }];
  expect(group?.steps[0]?.choice).toEqual({ kind: 'heads', decisions });
});

test('a group does not wait for broken rollouts', () => {
  const { order, back, batch, ledger } = gathering({ trajectoriesPerBatch: 2 });
  order('a', 3);
  back('a0', WON);
  back('a1', BROKE);
  back('a2', LOST);
  expect(batch()?.groups[0]?.steps.length).toBe(2);
  expect(ledger.counts()).toMatchObject({ accepted: 2, failed: 1, running: 0 });
  order('b', 1);
  back('b0', BROKE);
  expect(ledger.counts()).toMatchObject({ failed: 2, running: 0 });
});

test('a group with equal rewards releases its capacity at once', () => {
  const { order, back, ledger, groups, decided } = gathering();
  order('a', 2);
  back('a0', LOST);
  back('a1', LOST);
  expect(ledger.counts()).toMatchObject({ filtered: 2, running: 0 });
  expect(groups.counts()).toMatchObject({ filtered: 1, trainable: 0 });
  expect(decided).toMatchObject([{ kind: 'set aside', filtered: 2, dropped: 0 }]);
});

test('a stored success joins a group of failures; the failure that it replaces does not train', () => {
  const { order, back, batch, ledger, groups } = gathering({ trajectoriesPerBatch: 3 });
  const stored = rolloutOf(finished('earlier', WON));
  if (stored !== undefined) groups.store(INSTANCE, packRollout(stored));
  order('a', 3);
  for (const each of ['a2', 'a0', 'a1']) back(each, LOST);
  const [group] = batch()?.groups ?? [];
  expect(group?.injected).toBe(true);
  expect(group?.steps.map(({ trajectory }) => trajectory)).toEqual(['earlier.t', 'a0.t', 'a1.t']);
  expect(group?.steps[0]?.choice).toEqual({ kind: 'heads', decisions: [{ head: 'kind', choice: 1 }] });
  expect(ledger.counts()).toMatchObject({ accepted: 2, filtered: 1 });
  expect(groups.counts()).toMatchObject({ injections: 1, trainable: 1 });
});

test('a waiting rollout that becomes too old is dropped, and its group if no gradient remains', () => {
  const { order, back, batch, ledger, groups } = gathering();
  order('a', 3);
  back('a0', { score: 1, by: [0, 2] });
  back('a1', { score: 0, by: [1] });
  back('a2', { score: 1, by: [1] }, 1);
  groups.refilter(version(1));
  expect(ledger.counts()).toMatchObject({ dropped: 0, running: 3 });
  groups.refilter(version(2));
  expect(ledger.counts()).toMatchObject({ dropped: 1, running: 2 });
  groups.refilter(version(3));
  expect(ledger.counts()).toMatchObject({ dropped: 3, filtered: 0, running: 0 });
  expect(groups.counts()).toMatchObject({ dropped: 3, filtered: 1 });
  expect(batch(3)).toBeUndefined();
});

test('a manual verdict overrides the evaluator’s, before and after the trajectory arrives, until it trains', () => {
  const { order, back, batch, groups, ledger } = gathering({ trajectoriesPerBatch: 2 });
  order('a', 2);
  groups.judge(trajectoryId('a0.t'), true);
  back('a0', LOST);
  back('a1', LOST);
  groups.judge(trajectoryId('a1.t'), true);
  groups.refilter(version(0));
  expect(ledger.counts()).toMatchObject({ filtered: 2 });
  order('b', 2);
  back('b0', WON);
  back('b1', LOST);
  groups.judge(trajectoryId('b0.t'), false);
  groups.judge(trajectoryId('b1.t'), true);
  const steps = batch()?.groups[0]?.steps ?? [];
  expect(steps.map(({ trajectory, advantage }) => [trajectory, Math.sign(advantage)])).toEqual([
    ['b0.t', -1],
    ['b1.t', 1],
  ]);
});

test('removing a manual verdict restores the evaluator’s, also a partial score', () => {
  const { order, back, batch, groups } = gathering({ trajectoriesPerBatch: 2 });
  order('a', 2);
  const [half, lost] = [trajectoryId('a0.t'), trajectoryId('a1.t')];
  back('a0', { ...LOST, score: 0.5 });
  expect(groups.judge(half, true)?.rollout).toMatchObject({ id: half, isSuccess: true, reward: 1 });
  expect(groups.judge(half, null)).toEqual({
    instance: INSTANCE,
    rollout: expect.not.objectContaining({ evaluated: expect.anything() }),
  });
  expect(groups.judge(lost, true)).toBeUndefined();
  groups.judge(lost, null);
  back('a1', LOST);
  const steps = batch()?.groups[0]?.steps ?? [];
  expect(steps.map(({ trajectory, advantage }) => [trajectory, Math.sign(advantage)])).toEqual([
    [half, 1],
    [lost, -1],
  ]);
});

test('a disabled success pool ignores stored successes', () => {
  const { order, back, groups, ledger } = gathering({ successPool: false });
  const stored = rolloutOf(finished('earlier', WON));
  if (stored !== undefined) groups.store(INSTANCE, packRollout(stored));
  order('a', 2);
  for (const each of ['a0', 'a1']) back(each, LOST);
  expect(ledger.counts()).toMatchObject({ filtered: 2, running: 0 });
  expect(groups.counts()).toMatchObject({ injections: 0, filtered: 1 });
});

test('a duplicate releases its capacity at once, and the rest of the group trains', () => {
  const { groups, order, back, batch, ledger, decided } = gathering({ trajectoriesPerBatch: 2 });
  order('a', 4);
  back('a0', WON);
  const like = rolloutOf(finished('like', LOST)) as TrainingRollout;
  for (const each of ['a1', 'a2', 'a3'])
    groups.receive(
      orderId(each),
      { ...like, id: trajectoryId(`${each}.t`), order: orderId(each) },
      version(0),
    );
  expect(ledger.counts()).toMatchObject({ filtered: 2, running: 2 });
  expect(groups.counts()).toMatchObject({ duplicates: 2, filtered: 0 });
  expect(
    batch()?.groups[0]?.steps.map(({ trajectory, advantage }) => [trajectory, Math.round(advantage)]),
  ).toEqual([
    ['a0.t', 1],
    ['a1.t', -1],
  ]);
  expect(decided).toMatchObject([
    { kind: 'set aside', duplicates: 2, filtered: 0, why: expect.stringMatching(/^2 identical/) },
    { kind: 'trained', rollouts: 2 },
  ]);
});

test('an instance with failures only is unsolved until a success is stored', () => {
  const { groups, order, back } = gathering();
  order('a', 2);
  for (const each of ['a0', 'a1']) back(each, LOST);
  expect(groups.counts().unsolved).toBe(1);
  const shown = rolloutOf(finished('shown', WON));
  if (shown !== undefined) groups.store(INSTANCE, packRollout(shown));
  expect(groups.counts().unsolved).toBe(0);
});

test('the counts continue from those of earlier processes', () => {
  const one = gathering();
  one.order('a', 4);
  for (const [index, told] of [WON, LOST, LOST, LOST].entries()) one.back(`a${index}`, told);
  one.order('b', 2);
  for (const index of [0, 1]) one.back(`b${index}`, WON);
  expect(one.batch()).toBeDefined();
  const counted = one.groups.save();
  expect(counted).toMatchObject({ trainable: 1, filtered: 1 });
  const next = gathering({ previous: counted });
  next.order('a', 2);
  for (const index of [0, 1]) next.back(`a${index}`, LOST);
  expect(next.groups.counts()).toMatchObject({ trainable: 1, filtered: 2 });
});

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
      return full?.batch.groups.length;
    });
    expect(made).toEqual([1, 1]);
  });

  test('a longer success has a lower advantage, compared with the shortest one of its instance so far', () => {
    const shaping = { shortestPath: 1, overlong: 0 };
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

  test('successes of groups that do not train, and stored ones, count as the shortest success too', () => {
    const shaping = { shortestPath: 1, overlong: 0 };
    const first = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
    first.order('a', 2);
    for (const name of ['a0', 'a1']) first.back(name, WON);
    const second = gathering({ trajectoriesPerBatch: 2, advantages: 'rollouts', shaping });
    const stored = rolloutOf(finished('s', WON));
    if (stored === undefined) throw new Error('no rollout');
    second.groups.store(INSTANCE, packRollout(stored));
    for (const { order, back, batch } of [first, second]) {
      order('b', 3);
      back('b0', { score: 1, by: [0, 0, 0, 0] });
      back('b1', { score: 1, by: [0, 0] });
      back('b2', LOST);
      // Rewards 1/4, 1/2 and 0: mean 1/4.
      const found = advantagesIn(batch());
      expect(found.get('b0.t')).toBeCloseTo(0, 4);
      expect(found.get('b1.t')).toBeCloseTo(1.2247449, 4);
    }
  });

  test('a step limit counts the actions of a rollout, also where a turn has several', () => {
    const shaping = { shortestPath: 0, overlong: 0.5 };
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
    const shaping = { shortestPath: 0, overlong: 0.5 };
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
