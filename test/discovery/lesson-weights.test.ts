// The sampling weights of lessons.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsOf } from '../../runtime/discovery/lesson-weights.ts';
import { asksFor, kindsFor } from '../../runtime/environments/pocket/tasks/outcomes.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';

const tasks = POCKET.tasks('train');
const rates = fc.dictionary(fc.constantFrom(...tasks), fc.double({ min: 0, max: 1, noNaN: true }));

test('the weight is 1 at a success rate of 1 and 5 at 0', () => {
  expect(needsOf({ 'settings-theme': 1, 'files-rename': 0, 'mail-forward': 0.5 })).toEqual({
    'settings-theme': 1,
    'files-rename': 5,
    'mail-forward': 3,
  });
});

test('a task may have a name that every object inherits', () => {
  const needs = needsOf(
    Object.fromEntries([
      ['constructor', 0.5],
      ['__proto__', 0],
    ]),
  );
  expect(new Map(Object.entries(needs))).toEqual(
    new Map([
      ['constructor', 3],
      ['__proto__', 5],
    ]),
  );
});

test('a kind of several tasks has the weight of the worst one', () => {
  const needs = needsOf({ 'files-delete-selected': 0.75, 'files-delete-by-size': 0.25 });
  expect(needs['files-delete']).toBe(4);
});

test('only kinds of tasks with a rate have a weight, from 1 to 5, and a lower rate never has less', () => {
  fc.assert(
    fc.property(
      rates,
      fc.constantFrom(...tasks),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (all, task, share) => {
        const needs = needsOf(all);
        expect(Object.keys(needs).sort()).toEqual([...new Set(Object.keys(all).flatMap(kindsFor))].sort());
        for (const [kind, need] of Object.entries(needs)) {
          expect(need).toBeGreaterThanOrEqual(1);
          expect(need).toBeLessThanOrEqual(5);
          expect(Object.keys(all).some(each => asksFor(each, kind))).toBe(true);
        }
        const worse = needsOf({ ...all, [task]: share * (all[task] ?? 1) });
        for (const [kind, need] of Object.entries(needs)) expect(worse[kind]).toBeGreaterThanOrEqual(need);
      },
    ),
  );
});
