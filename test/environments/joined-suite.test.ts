// Suites with other numbers of training seeds as one suite.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Seed, seed, taskId } from '../../runtime/core/ids.ts';
import { joinedSuite } from '../../runtime/environments/joined-suite.ts';
import { instanceOf, suiteFrom, type TaskKind } from '../../runtime/environments/suite.ts';

const kind = (id: string): TaskKind => ({ id, tier: 1, apps: [] });
const made = (each: TaskKind, number: Seed) =>
  instanceOf(each, {
    ...{ instruction: `${each.id} ${number}`, config: [], evaluator: { func: 'infeasible' }, maxSteps: 3 },
  });

const few = suiteFrom('few', [kind('open'), { ...kind('rare'), unseen: true }], made);
const many = suiteFrom('many', [kind('page')], made, { trainSeeds: 500, firstTestSeed: 2000 });
const joined = joinedSuite([few, many]);

test('has the tasks of both, and the training seeds of the larger one', () => {
  expect(joined.tasks('train')).toEqual(['open', 'page']);
  expect(joined.tasks('unseen')).toEqual(['rare']);
  expect(joined.templates.map(({ id }) => id)).toEqual(['open', 'rare', 'page']);
  expect(joined.trainSeeds).toBe(500);
  expect(() => joined.task('gone', seed(0))).toThrow("no task 'gone'");
  expect(() => joinedSuite([few, few])).toThrow("a task 'open'");
});

test('an instance of a split is one of the same split in its own suite', () => {
  const suites = [
    ['open', few],
    ['page', many],
  ] as const;
  fc.assert(
    fc.property(
      fc.nat(3000),
      fc.constantFrom(...suites),
      fc.constantFrom('train', 'test'),
      (index, [id, own], split) => {
        const number = joined.seed(split, index);
        const task = joined.task(id, number);
        expect(task.dartboard?.split).toBe(split);
        const instance = joined.own({ task: taskId(id), seed: number });
        expect(own.task(id, instance.seed)).toEqual(task);
        if (split === 'test') expect(instance.seed).toBe(own.seed('test', index));
      },
    ),
  );
});
