import { describe, expect, test } from 'vitest';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { checkDirectJsonObject, checkJson } from '../../../../runtime/tasks/metrics/texts/check-json.ts';

const json = textFile('a.json', '{"author": {"name": "Ann", "age": 42}, "tags": ["x", "y"]}');
const rule = (key: readonly unknown[], method: string, ref: unknown) => ({ key, method, ref });

describe('check_json', () => {
  test.each([
    [rule(['author', 'name'], 'eq', 'Ann'), 1],
    [rule(['author', 'name'], 're.I', '^ann$'), 1],
    [rule(['tags', 1], 'eq', 'y'), 1],
    [rule(['tags', 2], 'eq', 'y'), 0],
    [rule(['author', 'age'], 'range.te', [42, 50]), 0],
    [rule(['author', 'age'], 'range.ee', [42, 50]), 1],
    [rule(['author', 'age'], 'approx:0.5', 42.4), 1],
    [rule(['missing'], 'ne', 'Ann'), 0],
  ])('expects %j: %d', (expected, score) => {
    expect(checkJson(json, { expect: [expected] }, {})).toBe(score);
  });

  test('takes a missing key for null in unexpect, and an impossible comparison for a failure', () => {
    expect(checkJson(json, { unexpect: [rule(['missing'], 'eq', 'Ann')] }, {})).toBe(1);
    expect(checkJson(json, { unexpect: [rule(['author', 'age'], 're', 'x')] }, {})).toBe(0);
  });

  test('reads YAML 1.1', () => {
    const yaml = textFile('a.yaml', 'on: yes\nmode: 012\nbase: &b {n: 1}\nmore:\n  <<: *b\n');
    const expected = [rule(['mode'], 'eq', 10), rule(['more', 'n'], 'eq', 1)];
    expect(checkJson(yaml, { expect: expected }, { is_yaml: true })).toBe(1);
  });

  test('rejects an unknown method, and scores 0 for a damaged file', () => {
    expect(() => checkJson(json, { expect: [rule(['tags'], 'same', 1)] }, {})).toThrow(MetricError);
    expect(checkJson(textFile('a.json', '{"a": 1'), { expect: [] }, {})).toBe(0);
  });
});

describe('check_direct_json_object', () => {
  test('reads single quotes, and ignores values that are not expected', () => {
    expect(checkDirectJsonObject("{'a': 1, 'b': 2}", { expected: { a: 1 } }, {})).toBe(1);
    expect(checkDirectJsonObject({ a: 1 }, { expected: { a: 1, b: 2 } }, {})).toBe(0);
  });

  test('with expect_in_result accepts one of a list, or a part of a text', () => {
    const rules = { expected: { city: ['Rome', 'Roma'], note: 'sun' }, expect_in_result: true };
    expect(checkDirectJsonObject({ city: 'Roma', note: 'sunny' }, rules, {})).toBe(1);
    expect(checkDirectJsonObject({ city: 'Romania', note: 'sunny' }, rules, {})).toBe(0);
  });
});
