// The schema of task files: what it accepts, and how its errors name the field and the allowed values.

import { expect, test } from 'vitest';
import { parseTask } from '../../runtime/tasks/schema.ts';

const withNotes = (dartboard: object) => ({
  id: 'mute',
  instruction: 'Mute the sound.',
  evaluator: { func: 'infeasible' },
  dartboard,
});

test.each([1, 30, 1000])('max_steps %d is accepted', steps => {
  expect(parseTask(withNotes({ max_steps: steps }), 'mute.json').dartboard?.max_steps).toBe(steps);
});

test.each([0, 1001, 9e15, 1.5])('max_steps %d is rejected with the allowed range', steps => {
  expect(() => parseTask(withNotes({ max_steps: steps }), 'mute.json')).toThrow(
    /mute\.json is not a valid task\. dartboard\.max_steps: /,
  );
});

test('unknown keys pass through unchanged', () => {
  const file = {
    ...withNotes({ own: [1] }),
    source: 'elsewhere',
    evaluator: { func: 'infeasible', extra: 1 },
  };
  expect(parseTask(file, 'mute.json')).toEqual(file);
});

test.each([
  ['an id with control characters', { id: 'a\u0007' }, /id: /],
  [
    'an empty list of metrics',
    { evaluator: { func: [] } },
    /evaluator\.func: the list is empty\. Name at least one metric/,
  ],
  [
    'a list of results that is shorter than the list of metrics',
    { evaluator: { func: ['exact_match', 'exact_match'], result: [{ type: 'files' }] } },
    /evaluator\.result: the length of the list is 1, and the number of metrics in func is 2\. Write one/,
  ],
  [
    'a list of expected values that is longer than the list of metrics',
    { evaluator: { func: 'exact_match', expected: [null, { type: 'rule' }] } },
    /evaluator\.expected: the length of the list is 2, and the number of metrics in func is 1\./,
  ],
  [
    'a list of options that is shorter than the list of metrics',
    { evaluator: { func: ['compare_table', 'exact_match'], options: [{}] } },
    /evaluator\.options: the length of the list is 1/,
  ],
  ['a negative seed', { dartboard: { seeds: [-1] } }, /dartboard\.seeds\.0: /],
])('%s is rejected', (_what, change, message) => {
  expect(() => parseTask({ ...withNotes({}), ...change }, 'mute.json')).toThrow(message);
});

test('lists of values with null, and an empty list of expected values, are accepted', () => {
  const evaluator = {
    func: ['compare_table', 'exact_match'],
    result: [{ type: 'vm_file' }, null],
    expected: [],
    options: [{ rules: [] }, null],
  };
  const file = { ...withNotes({}), evaluator };
  expect(parseTask(file, 'mute.json')).toEqual(file);
});

test.each([[{ toString: 1 }], [[{ valueOf: 1 }]], ['x'.repeat(1_000_000)]])(
  'the metric %.40j is rejected',
  func => {
    const task = { id: 'a', instruction: 'Do it.', evaluator: { func } };
    expect(() => parseTask(task, 'a.json')).toThrow(
      /a\.json is not a valid task\. evaluator\.func: .* is not a metric/,
    );
  },
);
