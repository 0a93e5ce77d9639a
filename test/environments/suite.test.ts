// Suites of every kind of desktops cache their instances.

import { expect, test } from 'vitest';
import { type Seed, seed } from '../../runtime/core/ids.ts';
import type { Task } from '../../runtime/core/task.ts';
import { instanceOf, suiteFrom, type TaskKind } from '../../runtime/environments/suite.ts';

const KINDS: readonly TaskKind[] = ['open', 'close'].map(id => ({ id, tier: 1, apps: [] }));

const made = (kind: TaskKind, number: Seed): Task =>
  instanceOf(kind, number, {
    instruction: `${kind.id} number ${number}`,
    snapshot: 'none',
    config: [],
    evaluator: { func: 'infeasible' },
    maxSteps: 3,
  });

test('an instance is generated once for many requests, with the same result', () => {
  let count = 0;
  const suite = suiteFrom('the suite', KINDS, (kind, number) => {
    count += 1;
    return made(kind, number);
  });
  const asked = Array.from({ length: 400 }, (_, index) => ({
    kind: KINDS[index % 2] as TaskKind,
    number: seed((index * 7) % 30),
  }));
  for (const { kind, number } of asked) {
    const before = suite.task(kind.id, number);
    expect(before).toEqual(made(kind, number));
    const once = count;
    expect(suite.task(kind.id, number)).toBe(before);
    expect(count).toBe(once);
  }
  expect(count).toBeLessThanOrEqual(60);
});

test('the cache is small: after many other instances, an instance is generated again, with the same result', () => {
  const suite = suiteFrom('the suite', KINDS, made);
  const first = suite.task('open', seed(0));
  for (let index = 1; index <= 1000; index++) suite.task('close', seed(index));
  expect(suite.task('open', seed(0))).not.toBe(first);
  expect(suite.task('open', seed(0))).toEqual(first);
});
