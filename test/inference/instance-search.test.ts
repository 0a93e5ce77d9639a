// The instance in which an instruction is tried.

import { expect, test } from 'vitest';
import { type Seed, seed as seedOf } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { isInfeasible } from '../../runtime/core/task.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { instanceFor, randomInstance, tasksFor } from '../../runtime/inference/instance-search.ts';

const ALL = POCKET.tasks('train', 1);

test('an instruction of the suite is tried in its own instance', () => {
  for (const task of ['mail-star', 'files-move', 'calendar-move-today']) {
    const seed = POCKET.seed('test', 3);
    expect(instanceFor(POCKET, ALL, POCKET.task(task, seed).instruction)).toEqual({ task, seed });
  }
});

test('an instance that cannot be made hides no other', () => {
  const task = (id: string, number: Seed) => {
    if (number === POCKET.seed('test', 5)) throw new RangeError('{what.sign} has no value.');
    return POCKET.task(id, number);
  };
  const seed = POCKET.seed('test', 3);
  const { instruction } = POCKET.task('mail-star', seed);
  expect(instanceFor({ ...POCKET, task }, ALL, instruction)).toEqual({ task: 'mail-star', seed });
});

test('another instruction is tried where most of its words occur, and rare words weigh more', () => {
  const { task, seed } = instanceFor(POCKET, ALL, 'Please have a look at the mail about "Chess night"');
  expect(task).toMatch(/^mail-/);
  expect(JSON.stringify(POCKET.task(task, seedOf(seed)))).toContain('Chess night');
});

test('a feasible instruction is not tried in an infeasible instance', () => {
  const { task, seed } = instanceFor(POCKET, ALL, 'Delete the mail about Saddle.');
  expect(task).toMatch(/^mail-/);
  expect(isInfeasible(POCKET.task(task, seedOf(seed)))).toBe(false);
  expect(JSON.stringify(POCKET.task(task, seedOf(seed)).config)).toContain('"subject":"Saddle"');
});

test('an application narrows the choice, and may be untrained', () => {
  expect(tasksFor(POCKET, ALL, 'mail').every(task => task.startsWith('mail-'))).toBe(true);
  expect(tasksFor(POCKET, ['mail-star'], undefined)).toEqual(['mail-star']);
  expect(tasksFor(POCKET, ['mail-star'], 'notes').every(task => task.startsWith('notes-'))).toBe(true);
  expect(() => tasksFor(POCKET, ALL, 'browser')).toThrow(
    "--app 'browser': no task has this application alone. Choose one of calculator, calendar,",
  );
});

test('an application is offered only with a task of its own', () => {
  const suite = (...apps: readonly (readonly string[])[]) => ({
    ...POCKET,
    templates: apps.map((each, index) => ({ id: `task-${index}`, tier: 1, apps: each }) as const),
  });
  expect(tasksFor(suite(['a', 'b'], ['a']), [], 'a')).toEqual(['task-1']);
  expect(() => tasksFor(suite(['a', 'b'], ['a']), [], 'b')).toThrow(
    "--app 'b': no task has this application alone. Choose one of a.",
  );
  for (const none of [suite([]), suite(['a', 'b'])])
    expect(() => tasksFor(none, [], 'b')).toThrow(
      "--app 'b': no task has exactly one application. Omit --app.",
    );
});

test('without an instruction it is a test instance, the same for the same seed', () => {
  const place = randomInstance(POCKET, ALL, seeded('one'));
  expect(place).toEqual(randomInstance(POCKET, ALL, seeded('one')));
  expect(ALL).toContain(place.task);
  expect(place.seed).toBeGreaterThanOrEqual(POCKET.seed('test', 0));
});
