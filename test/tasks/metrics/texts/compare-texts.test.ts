import { describe, expect, test } from 'vitest';
import { sqliteOf } from '../../../../runtime/bench/osworld/cases/texts-sqlite.ts';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { TEXT_METRICS } from '../../../../runtime/tasks/metrics/texts/texts.ts';

const file = (text: string) => textFile('a.txt', text);

test('diff_text_file is the share of equal lines, whatever ends them', () => {
  expect(TEXT_METRICS.diff_text_file(file('a\r\nb\r\nc'), file('a\nb\nd\n'), {})).toBeCloseTo(2 / 3);
  expect(TEXT_METRICS.diff_text_file({ name: 'x', bytes: Uint8Array.of(0xff) }, file('a'), {})).toBe(0);
});

test('literal_match compares values as Python prints them', () => {
  expect(TEXT_METRICS.literal_match([true, null], '[True, None]', {})).toBe(1);
  expect(TEXT_METRICS.literal_match(["it's"], `["it's"]`, {})).toBe(1);
  expect(TEXT_METRICS.literal_match(['A', 1], ['a', '1'], { type: 'list', ignore_case: true })).toBe(1);
  expect(() => TEXT_METRICS.literal_match('a', 'a', { type: 'set' })).toThrow(MetricError);
});

test('compare_result_files accepts a near number, or text around the exact one', () => {
  const score = (found: string, wanted: string) =>
    TEXT_METRICS.compare_result_files(file(found), file(wanted), {});
  expect(score('2.99995', '3.0')).toBe(1);
  expect(score('2.9998', '3.0')).toBe(0);
  expect(score('it is 3.0!', '3.0')).toBe(1);
  expect(score('it is three', 'three')).toBe(0);
});

test('compare_config accepts more than the expected text only if the task allows it', () => {
  const score = (found: string, expected: string, options = {}) =>
    TEXT_METRICS.compare_config(file(found), { expected }, options);
  const more = { containment_ok: true };
  const theme = '{"theme": "dark"}';
  expect(score('{"theme": "dark"}', theme)).toBe(1);
  expect(score('{"size": 9, "theme": "dark"}', theme)).toBe(0);
  expect(score('{"size": 9, "theme": "dark"}', theme, { containment_ok: false })).toBe(0);
  expect(score('{"size": 9, "theme": "dark"}', theme, more)).toBe(1);
  expect(score('{"size": 9, "theme": "light"}', theme, more)).toBe(0);
  expect(score('{"a": {"b": [1], "c": 2}}', '{"a": {"b": [1]}}', more)).toBe(1);
  expect(score('{"a": {"b": [1, 2]}}', '{"a": {"b": [1]}}', more)).toBe(0);
  expect(score('// mine\n{"theme": "dark"}', theme, more)).toBe(1);
  expect(score('the project is open', 'project\n', more)).toBe(1);
  expect(score('the folder is open', 'project', more)).toBe(0);
  expect(TEXT_METRICS.compare_config(null, { expected: 'project' }, more)).toBe(0);
});

test('check_csv finds each record in one row', () => {
  const table = file('url,user\n"imap://x","ann, b"\nsmtp://x,ann\n');
  expect(TEXT_METRICS.check_csv(table, { expect: [{ url: 'imap://x', user: 'ann, b' }] }, {})).toBe(1);
  expect(TEXT_METRICS.check_csv(table, { expect: [{ url: 'imap://x', user: 'ann' }] }, {})).toBe(0);
  expect(TEXT_METRICS.check_csv(table, { unexpect: [{ user: 'ann' }] }, {})).toBe(0);
});

test('compare_python_pure_text ignores the header, empty lines and tabs', () => {
  const score = (found: string) =>
    TEXT_METRICS.compare_python_pure_text(file(found), file('def f():\n    pass\n'), {});
  expect(score('#!/usr/bin/python\n\ndef f():\n\tpass  \n')).toBe(1);
  expect(score('```python\ndef f():\n    pass\n```')).toBe(0);
});

describe('run_sqlite3', () => {
  const database = {
    name: 'a.sqlite',
    bytes: sqliteOf([
      {
        name: 'messages',
        columns: ['id', 'folder'],
        rows: [
          [1, 13],
          [2, 14],
        ],
      },
    ]),
  };
  const run = (sql: string) => TEXT_METRICS.run_sqlite3(database, { sql }, {});

  test('scores the first value from 0 to 1', async () => {
    expect(await run('select count(*) > 1 from messages where folder > 12')).toBe(1);
    expect(await run('select count(*) from messages')).toBe(1);
    expect(await run('select id from messages where id > 9')).toBe(0);
  });

  test('tells a missing table from wrong SQL', async () => {
    expect(await run('select 1 from nowhere')).toBe(0);
    await expect(run('select 1 fro messages')).rejects.toThrow(MetricError);
    await expect(run('select 1; select 2')).rejects.toThrow(MetricError);
  });
});
