// Patterns of task files: they match as in JavaScript, and no pattern can block the process.

import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { evaluate } from '../../runtime/tasks/evaluate.ts';
import { MetricError } from '../../runtime/tasks/metrics/metric.ts';
import { compilePattern } from '../../runtime/tasks/metrics/pattern.ts';
import { metricOf } from '../../runtime/tasks/metrics.ts';
import { parseTask } from '../../runtime/tasks/schema.ts';

const checkList = (entries: readonly string[], rules: { expect?: string[]; unexpect?: string[] }) =>
  metricOf('check_list')?.(entries, rules, {});

describe('check_list', () => {
  test('passes when each expected pattern matches an entry and no unexpected one does', () => {
    const entries = ['total 12', 'report-7.txt'];
    expect(checkList(entries, { expect: ['^total \\d+$', 'report'], unexpect: ['draft'] })).toBe(1);
    expect(checkList(entries, { expect: ['^\\d+$'] })).toBe(0);
    expect(checkList(entries, { unexpect: ['\\.txt$'] })).toBe(0);
  });

  // A backtracking engine needs about 2^60 steps for each of these: the test passes because it ends.
  test.each(['^(((([a-zA-Z.]+)+)+)+)+!$', '^(a|a)*b$', '^(a*)*b$', '(.*.*.*.*.*.*.*.*)+b$'])(
    'ends on %s',
    pattern => {
      expect(checkList(['a'.repeat(60)], { expect: [pattern] })).toBe(0);
    },
  );
});

test.each<[string, unknown]>([
  ['check_include_exclude', { include: 'done' }],
  ['check_include_exclude', { includes: ['done'] }],
  ['check_include_exclude', undefined],
  ['check_list', { expect: 'x' }],
  ['check_list', { expected: ['x'] }],
  ['exact_match', {}],
  ['exact_match', undefined],
  ['match_in_list', { expected: 'done' }],
  ['compare_text_file', { name: 'gold.txt', bytes: Uint8Array.of(0xff) }],
  ['compare_text_file', { text: 'done' }],
])('a rule of %s that cannot be read is an error of the task: %o', (name, rules) => {
  expect(() => metricOf(name)?.('done', rules, {})).toThrow(MetricError);
});

test.each<[string, unknown]>([
  ['check_include_exclude', { include: ['one', 1] }],
  ['check_include_exclude', { exclude: ['done'], comment: '' }],
  ['check_include_exclude', {}],
  ['check_list', { unexpect: ['done'] }],
  ['exact_match', 'one 1'],
  ['match_in_list', ['two', 'one 1']],
  ['compare_text_file', 'one 1'],
])('%s reads the rule %o', (name, rules) => {
  expect(metricOf(name)?.('one 1', rules, {})).toBe(1);
});

test.each<[unknown, number]>([
  [1, 1],
  [0.4, 0.4],
  [0, 0],
  [-1, 0],
  [7, 1],
  [Number.POSITIVE_INFINITY, 1],
  [Number.NaN, 0],
  ['1', 0],
  [true, 0],
  [null, 0],
  [undefined, 0],
])('score of the result %s is %d', (result, score) => {
  expect(metricOf('score')?.(result, undefined, {})).toBe(score);
});

test.each([
  'a/b',
  '\\d{1,3}',
  '[\\w.-]+@x',
  'caf\\u00e9|é',
  '(?<name>a)b',
  '{x}',
  '^$',
  'a\\/b',
  '\\bend\\b',
])('the pattern %s matches the same texts as a JavaScript RegExp', source => {
  const [ours, theirs] = [compilePattern(source), new RegExp(source)];
  for (const text of ['a/b', '1234', 'ab', 'me.x@x', 'café', '{x}', '', 'the end', 'ending']) {
    expect(ours.test(text), text).toBe(theirs.test(text));
  }
});

test.each([
  ['(a)\\1', /RE2 rejects the pattern "\(a\)\\\\1"/],
  ['(?=a)', /Look-around, back-references/],
  ['[', /missing closing \]/],
  ['a'.repeat(1001), /has 1001 characters\. Use at most 1000/],
  ['(abcdefgh){1000}', /too expensive/],
])('the pattern %s is an error of the task', async (pattern, message) => {
  const task = parseTask(
    {
      id: 'listing',
      instruction: 'List the files.',
      evaluator: {
        func: 'check_list',
        result: { type: 'files' },
        expected: { type: 'rule', rules: { expect: [pattern] } },
      },
    },
    'listing.json',
  );
  const error = await evaluate(task, 'finished', async () => ['a']).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BoundaryError);
  expect(error).toMatchObject({ failure: { boundary: 'task', thing: 'listing' } });
  expect(String(error)).toMatch(message);
});
