// The baselines are what they are said to be.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { released } from '../../../runtime/bench/decoupling/gate.ts';
import type { Configuration } from '../../../runtime/bench/decoupling/trial.ts';
import { virtualTrial } from '../../../runtime/bench/decoupling/virtual.ts';
import { type GroupId, groupId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { SMALL, SPAN } from './worlds.ts';

const BATCH = SMALL.rollouts * SMALL.groups;

async function rolledOut(configuration: Configuration, chance: number): Promise<readonly Trajectory[]> {
  const all: Trajectory[] = [];
  await virtualTrial(SMALL, configuration, SPAN, chance, { finished: each => all.push(each) });
  return all.sort((a, b) => a.startedAt - b.startedAt);
}

const groupsOf = (all: readonly Trajectory[]): ReadonlyMap<GroupId | undefined, readonly Trajectory[]> => {
  const groups = new Map<GroupId | undefined, Trajectory[]>();
  for (const each of all) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return groups;
};

/** The most that were under way at one moment. */
const most = (all: readonly { readonly startedAt: number; readonly endedAt: number }[]): number =>
  Math.max(
    ...all.map(({ startedAt }) => all.filter(o => o.startedAt <= startedAt && o.endedAt > startedAt).length),
  );

const spans = (all: readonly Trajectory[]) => ({
  startedAt: Math.min(...all.map(({ startedAt }) => startedAt)),
  endedAt: Math.max(...all.map(({ endedAt }) => endedAt)),
});

const chances = [1, 2, 3];

describe('batch-wise', () => {
  test.each([0, 1, 4])(
    'with K = %i no episode starts before all of the batch before have ended',
    async versions => {
      for (const chance of chances) {
        const all = await rolledOut({ scheduling: 'batch-wise', sync: 'all-worker', versions }, chance);
        const starts = [...new Set(all.map(({ startedAt }) => startedAt))];
        expect(starts.length).toBeGreaterThan(SPAN.measured);
        for (const start of starts) {
          const before = all.filter(({ startedAt }) => startedAt < start);
          expect(before.filter(({ endedAt }) => endedAt > start)).toEqual([]);
          expect(all.filter(({ startedAt }) => startedAt === start).length).toBeLessThanOrEqual(BATCH);
        }
      }
    },
  );

  test('a batch is a whole update: its episodes start at one moment, one on each desktop', async () => {
    const all = await rolledOut({ scheduling: 'batch-wise', sync: 'all-worker', versions: 0 }, 1);
    const whole = all.slice(0, Math.floor(all.length / BATCH) * BATCH);
    for (let first = 0; first < whole.length; first += BATCH)
      expect(new Set(whole.slice(first, first + BATCH).map(({ startedAt }) => startedAt)).size).toBe(1);
  });

  test('with K = 0 rollouts wait for the update: all steps of a batch are of one version, one more for each', async () => {
    const all = await rolledOut({ scheduling: 'batch-wise', sync: 'all-worker', versions: 0 }, 1);
    const versions = all.map(({ steps }) => new Set(steps.map(({ chosen }) => chosen?.version)));
    expect(versions.every(({ size }) => size === 1)).toBe(true);
    expect(versions.map(([only]) => only)).toEqual(all.map((_, index) => Math.floor(index / BATCH)));
  });
});

describe('task-wise', () => {
  test('no more groups are under way than there are desktops for, and each starts together', async () => {
    for (const chance of chances) {
      const all = await rolledOut({ scheduling: 'task-wise', sync: 'per-worker', versions: 4 }, chance);
      const groups = [...groupsOf(all).values()].filter(({ length }) => length === SMALL.rollouts);
      expect(groups.length).toBeGreaterThan(SPAN.measured);
      for (const group of groups) expect(new Set(group.map(({ startedAt }) => startedAt)).size).toBe(1);
      expect(most(groups.map(spans))).toBeLessThanOrEqual(SMALL.desktops / SMALL.rollouts);
    }
  });
});

test('rollout-wise, as long as the weights may be old, no desktop is idle for a moment', async () => {
  const configuration = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 1000 } as const;
  for (const chance of chances) {
    const { desktops } = await virtualTrial(SMALL, configuration, SPAN, chance);
    expect(desktops.idle).toBe(0);
    expect(desktops.stepping).toBeGreaterThan(0);
  }
});

test('what a gate lets out are the first that wait, never more than there is room for', () => {
  const orders = fc
    .array(fc.nat({ max: 5 }), { maxLength: 30 })
    .map(groups => groups.sort((a, b) => a - b).map(number => ({ group: groupId(`g${number}`) })));
  const under = fc
    .uniqueArray(fc.nat({ max: 8 }), { maxLength: 4 })
    .map(numbers => new Map(numbers.map(number => [groupId(`g${number}`), 1])));
  fc.assert(
    fc.property(orders, under, fc.integer({ min: 1, max: 9 }), (waiting, out, room) => {
      const sizes = { batch: room, groups: room };
      const batch = released('batch-wise', waiting, out, sizes);
      expect(batch).toBe(out.size > 0 ? 0 : Math.min(room, waiting.length));
      const count = released('task-wise', waiting, out, sizes);
      const after = (end: number) =>
        new Set([...out.keys(), ...waiting.slice(0, end).map(({ group }) => group)]);
      if (count > 0) expect(after(count).size).toBeLessThanOrEqual(room);
      if (count < waiting.length) expect(after(count + 1).size).toBeGreaterThan(room);
    }),
  );
});
