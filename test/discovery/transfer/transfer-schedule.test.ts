// The order of transfers.

import { describe, expect, test } from 'vitest';
import { type Seed, taskId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import {
  type TransferAttempt,
  TransferSchedule,
} from '../../../runtime/discovery/transfer/transfer-schedule.ts';
import type { Solution } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

const SEEDS = [0, 1, 2, 3, 4].map(index => POCKET.seed('train', index));
const [FIRST, SECOND] = SEEDS as [Seed, Seed];
const SOLUTION: Solution = { ending: 'finished', actions: [] };
const nobodyKnows = () => undefined;

/** All that is tried, in order. */
function all(carrying: TransferSchedule, rateOf: (task: string) => number | undefined = nobodyKnows) {
  const attempts: TransferAttempt[] = [];
  for (let next = carrying.next(rateOf); next !== undefined; next = carrying.next(rateOf))
    attempts.push(next);
  return attempts;
}

function carrying(tasks: readonly string[]) {
  const one = new TransferSchedule(SEEDS, seeded('carrying'));
  for (const task of tasks)
    for (const seed of [FIRST, SECOND])
      one.addExample(taskId(task), { seed, solution: SOLUTION, author: 'script' });
  return one;
}

test('without demonstrations nothing is tried', () => {
  expect(all(new TransferSchedule(SEEDS, seeded('none')))).toEqual([]);
});

describe('of a task', () => {
  test('every other instance is tried once with each demonstration, and all once before any twice', () => {
    const attempts = all(carrying(['a']));
    const others = SEEDS.slice(2);
    expect(attempts.slice(0, 3).map(({ seed }) => seed)).toEqual(others);
    expect(attempts.slice(3).map(({ seed }) => seed)).toEqual(others);
    for (const seed of others)
      expect(new Set(attempts.filter(each => each.seed === seed).map(({ example }) => example.seed))).toEqual(
        new Set([FIRST, SECOND]),
      );
  });

  test('another demonstration of an instance replaces the earlier one', () => {
    const one = carrying(['a']);
    const again: Solution = { ending: 'fail', actions: [] };
    one.addExample(taskId('a'), { seed: FIRST, solution: again, author: 'person' });
    const ofFirst = all(one).filter(({ example }) => example.seed === FIRST);
    expect(ofFirst.map(({ seed }) => seed).sort()).toEqual(SEEDS.slice(2).sort());
    for (const { example } of ofFirst) expect(example).toMatchObject({ solution: again, author: 'person' });
  });

  test('a solved instance is not tried again', () => {
    const one = carrying(['a']);
    const first = one.next(nobodyKnows);
    if (first === undefined) throw new Error('There is nothing to try.');
    one.markSolved(first);
    expect(all(one).map(({ seed }) => seed)).not.toContain(first.seed);
  });
});

describe('of several tasks', () => {
  const order = (rateOf: (task: string) => number | undefined) =>
    all(carrying(['good', 'bad']), rateOf).map(({ task }) => String(task));

  test('tasks without a rate have their turn early', () => {
    const tasks = order(nobodyKnows);
    for (let turn = 0; turn < 12; turn += 2) expect(new Set(tasks.slice(turn, turn + 2)).size).toBe(2);
  });

  test('tasks with a low rate come more often, and those with a high rate still come', () => {
    const tasks = order(task => (task === 'good' ? 1 : 0));
    const early = tasks.slice(0, 6).filter(task => task === 'bad');
    expect(early.length).toBeGreaterThan(3);
    expect(tasks.filter(task => task === 'good')).toHaveLength(6);
  });
});

test('after a restart everything is tried again, also on solved instances', () => {
  const one = carrying(['a', 'b']);
  const first = all(one);
  for (const attempt of first) one.markSolved(attempt);
  expect(all(one)).toEqual([]);
  one.restart();
  expect(all(one)).toHaveLength(first.length);
});
