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
  ['a negative seed', { dartboard: { seeds: [-1] } }, /dartboard\.seeds\.0: /],
])('%s is rejected', (_what, change, message) => {
  expect(() => parseTask({ ...withNotes({}), ...change }, 'mute.json')).toThrow(message);
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
