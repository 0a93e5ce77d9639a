import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trajectoryId, version } from '../../runtime/core/ids.ts';
import { stepAdvantages } from '../../runtime/data/advantage.ts';
import { describeRemoval, filterGroup, ruleOf } from '../../runtime/data/group-filter.ts';
import { rolloutOf, type TrainingRollout } from '../../runtime/data/rollouts.ts';
import { finished, seenBy } from './finished-episodes.ts';

const rollout = (order: string, score: number, ...by: readonly number[]): TrainingRollout => {
  const known = rolloutOf(finished(order, { score, by: by.length > 0 ? by : [0] }));
  if (known === undefined) throw new Error('no rollout');
  return known;
};

const ids = (rollouts: readonly TrainingRollout[]) => rollouts.map(({ id }) => id);
const settle = (
  group: readonly TrainingRollout[],
  options: { now?: number; bound?: number; stored?: TrainingRollout } = {},
) =>
  filterGroup(
    group,
    version(options.now ?? 0),
    options.bound ?? 0,
    options.stored && (() => options.stored as TrainingRollout),
  );

test('a group with different rewards trains completely', () => {
  const group = [rollout('a', 1), rollout('b', 0), rollout('c', 0.5)];
  expect(settle(group)).toMatchObject({ trains: group, injected: false, dropped: [], filtered: [] });
});

test('a group with equal rewards is filtered completely, with the reason', () => {
  for (const score of [0, 0.4, 1]) {
    const group = [rollout('a', score), rollout('b', score)];
    expect(settle(group)).toMatchObject({ trains: [], filtered: group });
  }
  expect(settle([rollout('a', 0), rollout('b', 0)]).why).toBe(
    'all failed, and no stored success is available',
  );
});

test('where only contributions to a success count, a group of failures with different rewards is filtered', () => {
  const filter = (...scores: readonly number[]) =>
    filterGroup(
      scores.map((score, index) => rollout(`r${index}`, score)),
      ...([version(0), 0, undefined, ruleOf('contributions')] as const),
    );
  expect(filter(0.5, 0, 0)).toMatchObject({
    trains: [],
    why: 'all failed, and no stored success is available',
  });
  expect(filter(1, 0.5, 0).trains).toHaveLength(3);
});

test('filtered imitation trains all successes of a group and no failure, also if all succeeded', () => {
  const filter = (scores: readonly number[], stored?: TrainingRollout) => {
    const group = scores.map((score, index) => rollout(`r${index}`, score));
    const result = filterGroup(group, version(0), 0, stored && (() => stored), ruleOf('successes'));
    return { ...result, trains: ids(result.trains), filtered: ids(result.filtered) };
  };
  expect(filter([0, 1, 0.5])).toMatchObject({ trains: ['r1.t'], filtered: ['r0.t', 'r2.t'] });
  expect(filter([1, 1])).toMatchObject({ trains: ['r0.t', 'r1.t'], filtered: [] });
  expect(filter([0, 0])).toMatchObject({ trains: [], why: 'failures are not imitated' });
  expect(filter([0, 0, 0], rollout('s', 1))).toMatchObject({
    ...{ trains: ['s.t'], injected: true, filtered: ['r0.t', 'r1.t', 'r2.t'] },
  });
});

test('if all failed, a stored success without probabilities replaces the oldest failure', () => {
  const group = [rollout('a', 0), rollout('b', 0), rollout('c', 0)];
  const result = settle(group, { stored: rollout('s', 1) });
  expect(result.injected).toBe(true);
  expect(ids(result.trains)).toEqual(['s.t', 'b.t', 'c.t']);
  expect(ids(result.filtered)).toEqual(['a.t']);
  expect(result.trains[0]?.steps).toEqual([
    { observation: seenBy('s'), choice: { kind: 'heads', decisions: [{ head: 'kind', choice: 1 }] } },
  ]);
});

test('a group with a success uses no stored one, and the staleness bound is inclusive', () => {
  const stored = rollout('s', 1, 0);
  expect(settle([rollout('a', 1), rollout('b', 0)], { stored }).injected).toBe(false);
  const result = settle([rollout('a', 0, 9), rollout('b', 0, 9)], { now: 9, stored });
  expect(ids(result.trains)).toEqual(['s.t', 'b.t']);
});

test('rollouts beyond the staleness bound are dropped, and the rest trains if two remain', () => {
  const [old, young, younger] = [rollout('a', 1, 3, 5), rollout('b', 0, 4), rollout('c', 1, 5)];
  const result = settle([old, young, younger], { now: 5, bound: 1 });
  expect([ids(result.dropped), ids(result.trains)]).toEqual([['a.t'], ['b.t', 'c.t']]);
  const alone = settle([old, young], { now: 5, bound: 1 });
  expect([ids(alone.dropped), ids(alone.filtered), alone.trains]).toEqual([['a.t'], ['b.t'], []]);
});

/** A rollout with equal content. */
const again = (order: string, one: TrainingRollout): TrainingRollout => ({
  ...one,
  id: trajectoryId(`${order}.t`),
});

test('a duplicate trains once and counts once in the comparison', () => {
  const [won, lost] = [rollout('a', 1), rollout('b', 0)];
  const result = settle([won, lost, again('c', lost), again('d', lost)]);
  expect([ids(result.trains), ids(result.duplicates)]).toEqual([
    ['a.t', 'b.t'],
    ['c.t', 'd.t'],
  ]);
  expect(stepAdvantages(result.trains, 'steps').map(([first]) => first)).toEqual([
    expect.closeTo(1, 4),
    expect.closeTo(-1, 4),
  ]);
  expect(describeRemoval({ ...result, filtered: [] })).toMatch(/^2 identical/);
});

test('if all failed in the same way, a stored success replaces one, and one failure remains for the comparison', () => {
  const lost = rollout('a', 0);
  const result = settle([lost, again('b', lost), again('c', lost)], { stored: rollout('s', 1) });
  expect([ids(result.trains), ids(result.filtered), ids(result.duplicates)]).toEqual([
    ['s.t', 'b.t'],
    ['a.t'],
    ['c.t'],
  ]);
});

test('whether matches differ enough is decided without the duplicates, so that the next version decides alike', () => {
  const matching = (order: string, score: number) => ({
    ...rollout(order, 0),
    matches: [{ step: 0, score }],
  });
  const filter = (group: readonly TrainingRollout[]) =>
    filterGroup(group, version(0), 0, undefined, ruleOf('matches'));
  const unlike = matching('unlike', 0.1);
  const alike = Array.from({ length: 6 }, (_, index) => matching(`alike${index}`, 1));
  // Returns of 1 and 0.19. Their deviation must exceed 0.3: it is 0.28 in seven rollouts, and 0.35 with the duplicate.
  expect(filter([...alike, unlike, again('again', unlike)]).trains).toEqual([]);
  // It is 0.41 in two rollouts, and 0.27 with the duplicates.
  const duplicates = Array.from({ length: 6 }, (_, index) => again(`again${index}`, unlike));
  const result = filter([...alike.slice(0, 1), unlike, ...duplicates]);
  expect(ids(result.trains)).toEqual(['alike0.t', 'unlike.t']);
  expect(filter(result.trains).trains).toEqual(result.trains);
});

test('each rollout has exactly one result, and a group that trains has two or more', () => {
  const one = fc.record({
    score: fc.constantFrom(0, 0.5, 1),
    by: fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }),
    like: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 9 }), fc.nat(4), fc.boolean(), (told, bound, hasStored) => {
      const group = told.map(({ score, by, like }, index) => ({
        ...rollout(`o${index}`, score, ...by),
        steps: rollout(`like${like}`, score, ...by).steps,
      }));
      const stored = hasStored ? rollout('s', 1) : undefined;
      const result = filterGroup(group, version(6), bound, stored && (() => stored));
      const own = result.trains.filter(({ id }) => id !== stored?.id);
      expect(ids([...own, ...result.dropped, ...result.duplicates, ...result.filtered]).sort()).toEqual(
        ids(group).sort(),
      );
      expect(result.trains.length - own.length).toBe(result.injected ? 1 : 0);
      for (const { oldest } of own) expect(6 - (oldest ?? 0)).toBeLessThanOrEqual(bound);
      if (result.trains.length === 0) return;
      expect(result.trains.length).toBeGreaterThan(1);
      expect(new Set(result.trains.map(({ reward }) => reward)).size).toBeGreaterThan(1);
      const better = stepAdvantages(result.trains, 'steps').map(([first]) => first ?? 0);
      expect(Math.max(...better)).toBeGreaterThan(0);
      expect(Math.min(...better)).toBeLessThan(0);
    }),
  );
});
