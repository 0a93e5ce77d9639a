// The gate couples rollouts as its three schedules define.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { releasable } from '../../../runtime/bench/decoupling/gate.ts';
import { virtualTrial } from '../../../runtime/bench/decoupling/simulation.ts';
import type { Schedule } from '../../../runtime/bench/decoupling/trial.ts';
import { type GroupId, groupId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { SMALL, SPAN } from './worlds.ts';

const BATCH = SMALL.rollouts * SMALL.groups;

async function rolloutsOf(schedule: Schedule, seed: number): Promise<readonly Trajectory[]> {
  const all: Trajectory[] = [];
  await virtualTrial(SMALL, schedule, SPAN, seed, { finished: each => all.push(each) });
  return all.sort((a, b) => a.startedAt - b.startedAt);
}

const groupsOf = (all: readonly Trajectory[]): ReadonlyMap<GroupId | undefined, readonly Trajectory[]> => {
  const groups = new Map<GroupId | undefined, Trajectory[]>();
  for (const each of all) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return groups;
};

/** The largest number that ran at one moment. */
const maxConcurrent = (all: readonly { readonly startedAt: number; readonly endedAt: number }[]): number =>
  Math.max(
    ...all.map(({ startedAt }) => all.filter(o => o.startedAt <= startedAt && o.endedAt > startedAt).length),
  );

const spans = (all: readonly Trajectory[]) => ({
  startedAt: Math.min(...all.map(({ startedAt }) => startedAt)),
  endedAt: Math.max(...all.map(({ endedAt }) => endedAt)),
});

const seeds = [1, 2, 3];

describe('batch-wise', () => {
  test.each([0, 1, 4])(
    'with K = %i no episode starts before the previous batch has ended',
    async versions => {
      for (const seed of seeds) {
        const all = await rolloutsOf({ scheduling: 'batch-wise', sync: 'all-worker', versions }, seed);
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

  test('a batch is one update: its episodes start at one moment, one per desktop', async () => {
    const all = await rolloutsOf({ scheduling: 'batch-wise', sync: 'all-worker', versions: 0 }, 1);
    const whole = all.slice(0, Math.floor(all.length / BATCH) * BATCH);
    for (let first = 0; first < whole.length; first += BATCH)
      expect(new Set(whole.slice(first, first + BATCH).map(({ startedAt }) => startedAt)).size).toBe(1);
  });

  test('with K = 0 all steps of a batch have one version, one higher per batch', async () => {
    const all = await rolloutsOf({ scheduling: 'batch-wise', sync: 'all-worker', versions: 0 }, 1);
    const versions = all.map(({ steps }) => new Set(steps.map(({ chosen }) => chosen?.version)));
    expect(versions.every(({ size }) => size === 1)).toBe(true);
    expect(versions.map(([only]) => only)).toEqual(all.map((_, index) => Math.floor(index / BATCH)));
  });
});

describe('task-wise', () => {
  test('no more groups run than the desktops can play, and each starts together', async () => {
    for (const seed of seeds) {
      const all = await rolloutsOf({ scheduling: 'task-wise', sync: 'per-worker', versions: 4 }, seed);
      const groups = [...groupsOf(all).values()].filter(({ length }) => length === SMALL.rollouts);
      expect(groups.length).toBeGreaterThan(SPAN.measured);
      for (const group of groups) expect(new Set(group.map(({ startedAt }) => startedAt)).size).toBe(1);
      expect(maxConcurrent(groups.map(spans))).toBeLessThanOrEqual(SMALL.desktops / SMALL.rollouts);
    }
  });
});

test('rollout-wise with a large staleness bound, no desktop is ever idle', async () => {
  const schedule = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 1000 } as const;
  for (const seed of seeds) {
    const { desktops } = await virtualTrial(SMALL, schedule, SPAN, seed);
    expect(desktops.idle).toBe(0);
    expect(desktops.stepping).toBeGreaterThan(0);
  }
});

test('the gate releases the first waiting orders, as many as there is room for', () => {
  const orders = fc
    .array(fc.nat({ max: 5 }), { maxLength: 30 })
    .map(groups => groups.sort((a, b) => a - b).map(number => ({ group: groupId(`g${number}`) })));
  const under = fc
    .uniqueArray(fc.nat({ max: 8 }), { maxLength: 4 })
    .map(numbers => new Map(numbers.map(number => [groupId(`g${number}`), 1])));
  fc.assert(
    fc.property(orders, under, fc.integer({ min: 1, max: 9 }), (waiting, out, room) => {
      const sizes = { batch: room, groups: room };
      const batch = releasable('batch-wise', waiting, out, sizes);
      expect(batch).toBe(out.size > 0 ? 0 : Math.min(room, waiting.length));
      const count = releasable('task-wise', waiting, out, sizes);
      const after = (end: number) =>
        new Set([...out.keys(), ...waiting.slice(0, end).map(({ group }) => group)]);
      if (count > 0) expect(after(count).size).toBeLessThanOrEqual(room);
      if (count < waiting.length) expect(after(count + 1).size).toBeGreaterThan(room);
    }),
  );
});
