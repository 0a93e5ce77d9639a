// Groups: one instance each, as many rollouts as it is worth, handed back once all of it was played.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shuffled } from '../../../runtime/contracts/chance.ts';
import { desktopId, seed, taskId } from '../../../runtime/contracts/ids.ts';
import { stepLimit } from '../../../runtime/contracts/task.ts';
import { seeded } from '../../../runtime/contracts/world.ts';
import { type Group, type GroupOrder, Groups } from '../../../runtime/daemon/learn/groups.ts';
import { rolloutNumber, WINDOW } from '../../../runtime/data/rollout-number.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { TRAIN_SEEDS } from '../../../runtime/environments/pocket/tasks/draw.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import type { Played } from '../../../runtime/rollout/actor.ts';
import { Episode } from '../../../runtime/rollout/episode.ts';

const TASKS = ['mail-star', 'settings-theme', 'files-move'].map(taskId);
const ROLLOUTS = 8;
const groupsOf = (label: string, tasks = TASKS) =>
  new Groups({ suite: POCKET, tasks, mode: 'a11y_tree', rollouts: ROLLOUTS, daring: 0.3 }, seeded(label));

const task = POCKET.task('mail-star', seed(0));
const options = { task, seed: seed(0), mode: 'a11y_tree', maxSteps: 1 } as const;
/** What was done in them is nothing to groups. */
const episode = await Episode.start(new PocketDesktop(desktopId('groups')), options);

const playedAs = (order: GroupOrder): Played<GroupOrder> => ({
  order,
  episode,
  ended: { ending: 'finished', verdict: { score: 0, why: '' } },
  samples: [],
});

function next(groups: Groups): GroupOrder {
  const order = groups.next();
  if (order === undefined) throw new Error('There is nothing to play.');
  return order;
}

/** All orders of the next group; only to be asked for between two groups. */
function nextGroup(groups: Groups): readonly GroupOrder[] {
  const first = next(groups);
  return [first, ...Array.from({ length: first.group.size - 1 }, () => next(groups))];
}

/** Plays one task until it has so many results more, and gives what was handed back. */
function playTo(groups: Groups, results: readonly boolean[]): readonly Group[] {
  const left = [...results];
  const finished: Group[] = [];
  while (left.length > 0) {
    for (const order of nextGroup(groups)) {
      const success = left.shift();
      const group = success === undefined ? undefined : groups.played(playedAs(order), success);
      if (group !== undefined) finished.push(group);
    }
  }
  return finished;
}

describe('the orders of a group', () => {
  test('share one training instance, and are no others', () => {
    const groups = groupsOf('instance');
    const before = new Set<Group>();
    for (let count = 0; count < 30; count++) {
      const first = next(groups);
      const { group } = first;
      const orders = [first, ...Array.from({ length: group.size - 1 }, () => next(groups))];
      expect(before).not.toContain(group);
      before.add(group);
      expect(TASKS).toContain(group.task);
      expect(group.seed).toBeLessThan(TRAIN_SEEDS);
      const made = POCKET.task(group.task, group.seed);
      for (const order of orders) {
        expect(order.group).toBe(group);
        expect(order).toMatchObject({ task: made, seed: group.seed, maxSteps: stepLimit(made) });
      }
    }
  });

  test('come of every task in turn', () => {
    const groups = groupsOf('turns');
    for (let round = 0; round < 5; round++) {
      const tasks = TASKS.map(() => nextGroup(groups)[0]?.group.task);
      expect(tasks.sort()).toEqual([...TASKS].sort());
    }
  });
});

describe('the size of a group', () => {
  test.each([0, 4, 8, 10, 12, 14, 16])('is what %i successes of the last 16 are worth', successes => {
    const groups = groupsOf('size', ['mail-star'].map(taskId));
    playTo(
      groups,
      Array.from({ length: WINDOW }, (_, index) => index < successes),
    );
    expect(next(groups).group.size).toBe(rolloutNumber(successes / WINDOW, ROLLOUTS));
  });

  test('is all rollouts of a task that was never tried', () => {
    expect(next(groupsOf('first')).group.size).toBe(ROLLOUTS);
  });
});

test('a group is handed back once, when all of it was played, in whatever order results arrive', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 6 }), (label, count) => {
      const groups = groupsOf(label);
      const random = seeded(`results ${label}`);
      const orders = Array.from({ length: count }, () => nextGroup(groups)).flat();
      const left = new Map<Group, number>();
      for (const { group } of orders) left.set(group, (left.get(group) ?? 0) + 1);
      const back: Group[] = [];
      const all = new Map<Group, Played<GroupOrder>[]>();
      for (const played of shuffled(random, orders.map(playedAs))) {
        const { group } = played.order;
        all.set(group, [...(all.get(group) ?? []), played]);
        left.set(group, (left.get(group) ?? 0) - 1);
        const finished = groups.played(played, random.next() < 0.5);
        expect(finished).toBe(left.get(group) === 0 ? group : undefined);
        if (finished === undefined) continue;
        back.push(finished);
        expect(finished.played).toHaveLength(finished.size);
        // In the order in which they ended.
        for (const [index, each] of finished.played.entries()) expect(each).toBe(all.get(finished)?.[index]);
      }
      expect(new Set(back).size).toBe(count);
      expect(back).toHaveLength(count);
    }),
  );
});

describe('the success rate', () => {
  const one = ['mail-star'].map(taskId);
  const mailStar = taskId('mail-star');

  test('is unknown before there are results', () => {
    expect(groupsOf('rate').successRate(mailStar)).toBeUndefined();
  });

  test('is that of all results while they are few', () => {
    const groups = groupsOf('few', one);
    playTo(groups, [true, false, false, true, true]);
    expect(groups.successRate(mailStar)).toBe(3 / 5);
  });

  test('is that of the last results, after every one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 6 * WINDOW, maxLength: 8 * WINDOW }), results => {
        const groups = groupsOf('last', one);
        for (const [index, success] of results.entries()) {
          groups.played(playedAs(next(groups)), success);
          const last = results.slice(0, index + 1).slice(-WINDOW);
          expect(groups.successRate(mailStar)).toBe(last.filter(Boolean).length / last.length);
        }
      }),
    );
  });

  test('is told task by task', () => {
    const groups = groupsOf('by task');
    for (let count = 0; count < 12; count++)
      for (const order of nextGroup(groups)) groups.played(playedAs(order), order.group.task === mailStar);
    expect(TASKS.map(each => groups.successRate(each))).toEqual([1, 0, 0]);
  });
});

test('a task of which all last results are alike is played less often than one that varies', () => {
  const groups = groupsOf('seldom');
  const [sure] = TASKS;
  const counts = new Map<string, number>();
  const random = seeded('varies');
  for (let count = 0; count < 200; count++) {
    const orders = nextGroup(groups);
    const name = String(orders[0]?.group.task);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const order of orders) groups.played(playedAs(order), name === sure || random.next() < 0.5);
  }
  const [first = 0, second = 0, third = 0] = TASKS.map(name => counts.get(name));
  expect(first).toBeGreaterThan(0);
  expect(2 * first).toBeLessThan(Math.min(second, third));
});
