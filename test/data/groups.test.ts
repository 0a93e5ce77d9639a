import { expect, test } from 'vitest';
import { orderId, trajectoryId, version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { PositiveReplay } from '../../runtime/data/pool/positive-replay.ts';
import { packRollout, rolloutOf, type TrainingRollout } from '../../runtime/data/rollouts.ts';
import { finished, INSTANCE } from './finished-episodes.ts';
import { BROKE, gathering, LOST, WON } from './gathered-groups.ts';

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

test('a single success of a group waits for its batch where successes are imitated', () => {
  const { order, back, batch, groups } = gathering({ advantages: 'successes', trajectoriesPerBatch: 2 });
  order('a', 3);
  back('a0', LOST);
  back('a1', WON);
  back('a2', LOST);
  groups.refilter(version(1));
  order('b', 1);
  back('b0', WON);
  const steps = batch(1)?.groups.flatMap(group => group.steps) ?? [];
  expect(steps.map(({ trajectory, advantage }) => [trajectory, advantage])).toEqual([
    ['a1.t', 1],
    ['b0.t', 1],
  ]);
});

test('a stored success waits for its batch where successes are imitated', () => {
  const { order, back, batch, ledger, groups } = gathering({
    ...{ advantages: 'successes', trajectoriesPerBatch: 2 },
  });
  const stored = rolloutOf(finished('earlier', WON));
  if (stored !== undefined) groups.store(INSTANCE, packRollout(stored));
  order('a', 3);
  for (const each of ['a0', 'a1', 'a2']) back(each, LOST);
  // The others release their capacity at once.
  expect(ledger.counts()).toMatchObject({ filtered: 2, running: 1 });
  groups.refilter(version(1));
  order('b', 1);
  back('b0', WON);
  const steps = batch(1)?.groups.flatMap(group => group.steps) ?? [];
  expect(steps.map(({ trajectory }) => trajectory)).toEqual(['earlier.t', 'b0.t']);
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

test('its trajectories are those that a coming batch may train, also as replacements and replayed', () => {
  const positives = new PositiveReplay({ share: 0.5, perBatch: 1 }, seeded('test'));
  const { groups, order, back, gather } = gathering({ positives });
  const stored = rolloutOf(finished('stored', WON));
  if (stored === undefined) throw new Error('It cannot train.');
  groups.store(INSTANCE, packRollout(stored));
  expect(groups.ids).toEqual([]);
  order('a', 4);
  for (const name of ['a0', 'a1', 'a2']) back(name, LOST);
  expect(new Set(groups.ids)).toEqual(new Set(['a0.t', 'a1.t', 'a2.t']));
  back('a3', LOST);
  expect(new Set(groups.ids)).toEqual(new Set(['a0.t', 'a1.t', 'a2.t', 'a3.t', 'stored.t']));
  gather();
  expect(groups.ids).toEqual([]);
  order('b', 4);
  back('b0', WON);
  for (const name of ['b1', 'b2', 'b3']) back(name, LOST);
  gather();
  expect(groups.ids).toEqual(['b0.t']);
});
