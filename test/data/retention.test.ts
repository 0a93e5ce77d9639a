import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import type { RetentionCandidate } from '../../runtime/data/index/queries.ts';
import { type Budget, isOver, toDelete } from '../../runtime/data/retention.ts';

const kept = (number: number, changes: Partial<RetentionCandidate> = {}): RetentionCandidate => ({
  id: trajectoryId(`t${number}`),
  bytes: 10,
  outcome: 'failure',
  endedAt: number,
  isMarked: false,
  isInPool: false,
  ...changes,
});

const anyKept = fc
  .array(
    fc.record({
      bytes: fc.integer({ min: 1, max: 1000 }),
      outcome: fc.constantFrom('success', 'failure', 'broken'),
      endedAt: fc.nat(1000),
      isMarked: fc.boolean(),
      isInPool: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map(all => all.map((each, number) => kept(number, each)));

const anyBudget: fc.Arbitrary<Budget> = fc.record({ count: fc.nat(70), bytes: fc.nat(40_000) });

const volumeOf = (all: readonly RetentionCandidate[]) => ({
  count: all.length,
  bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
});

const left = (all: readonly RetentionCandidate[], budget: Budget): readonly RetentionCandidate[] => {
  const gone = new Set(toDelete(all, budget));
  return all.filter(each => !gone.has(each));
};

test('nothing is deleted within the budget', () => {
  fc.assert(
    fc.property(anyKept, all => {
      expect(toDelete(all, volumeOf(all))).toEqual([]);
    }),
  );
});

test('the rest is within the budget, or consists of marked trajectories and pool members', () => {
  fc.assert(
    fc.property(anyKept, anyBudget, (all, budget) => {
      const rest = left(all, budget);
      const isUntouchable = rest.every(({ isMarked, isInPool }) => isMarked || isInPool);
      expect(isUntouchable || !isOver(volumeOf(rest), budget)).toBe(true);
    }),
  );
});

test('marked trajectories and pool members are never deleted', () => {
  fc.assert(
    fc.property(anyKept, anyBudget, (all, budget) => {
      expect(toDelete(all, budget).filter(({ isMarked, isInPool }) => isMarked || isInPool)).toEqual([]);
    }),
  );
});

test('broken trajectories are deleted first, then failures, then successes', () => {
  fc.assert(
    fc.property(anyKept, anyBudget, (all, budget) => {
      const worth = { broken: 0, failure: 1, success: 2 };
      const best = Math.max(-1, ...toDelete(all, budget).map(({ outcome }) => worth[outcome]));
      const free = left(all, budget).filter(({ isMarked, isInPool }) => !isMarked && !isInPool);
      for (const each of free) expect(worth[each.outcome]).toBeGreaterThanOrEqual(best);
    }),
  );
});

test('the selection does not depend on the order of the input', () => {
  fc.assert(
    fc.property(anyKept, anyBudget, (all, budget) => {
      expect(toDelete([...all].reverse(), budget)).toEqual(toDelete(all, budget));
    }),
  );
});

test('the oldest successes are deleted first', () => {
  const all = Array.from({ length: 20 }, (_, number) => kept(number, { outcome: 'success' }));
  expect(toDelete(all, { count: 10, bytes: 1e9 })).toEqual(all.slice(0, 11));
});

test('a stable sample of failures from all times outlives the others', () => {
  const all = Array.from({ length: 800 }, (_, number) => kept(number));
  const once = left(all, { count: 110, bytes: 1e9 });
  expect(once).toHaveLength(99);
  // About one in eight of all is sampled: what is left is not simply the newest.
  expect(once.filter(({ endedAt }) => endedAt < 400).length).toBeGreaterThan(20);
  const more = [...once, ...Array.from({ length: 100 }, (_, number) => kept(800 + number))];
  const twice = new Set(left(more, { count: 110, bytes: 1e9 }));
  expect(once.filter(each => twice.has(each)).length).toBeGreaterThan(70);
});
