import { describe, expect, test } from 'vitest';
import { generatedTable, readTable, tableStatistics } from '../../../runtime/bench/curation/table.ts';
import { seeded } from '../../../runtime/core/rng.ts';

const row = (task: unknown, rewards: unknown) => ({ task, rewards });
const read = (value: unknown) => readTable(JSON.stringify(value), 'table.json');

test('a table is read, and unknown keys are ignored', () => {
  expect(read([{ ...row('a', [0, 1, 0.5]), app: 'os' }, row('b', [1])])).toEqual([
    row('a', [0, 1, 0.5]),
    row('b', [1]),
  ]);
});

describe('an unusable table is an error that names file, place and problem', () => {
  test.each<[string, unknown, RegExp]>([
    ['that is no list', { a: 1 }, /expected array/],
    ['without rows', [], /Too small/],
    ['with a row that has no task', [row('a', [1]), row(undefined, [1])], /\[1\].task: /],
    ['with a task that is blank', [row(' ', [1])], /\[0\].task: /],
    ['with a row without rewards', [row('a', [])], /\[0\].rewards: /],
    ['with a reward above 1', [row('a', [0, 1.7])], /\[0\].rewards\[1\]: /],
    ['with a reward that is no number', [row('a', ['1'])], /\[0\].rewards\[0\]: /],
    ['with a task twice', [row('a', [1]), row('a', [0])], /The task 'a' has two rows/],
    ['with much that is wrong', Array.from({ length: 9 }, () => row('a', [2])), /and 5 more/],
  ])('%s', (_, value, message) => {
    expect(() => read(value)).toThrow(/'table.json'/);
    expect(() => read(value)).toThrow(message);
  });

  test('that is no JSON', () => {
    expect(() => readTable('[{', 'table.json')).toThrow(/'table.json'.*must be JSON/);
  });
});

test('a generated table has the statistics of the real one, and equal seeds give equal tables', () => {
  for (const seed of [1, 2, 3]) {
    const table = generatedTable(seeded(seed));
    const { mean, ...counts } = tableStatistics(table);
    expect(counts).toEqual({ tasks: 369, never: 162, always: 32 });
    expect(Math.abs(mean - 0.3)).toBeLessThan(0.03);
    expect(table.every(({ rewards }) => rewards.length >= 28 && rewards.length <= 34)).toBe(true);
    expect(new Set(table.map(({ task }) => task)).size).toBe(369);
    expect(readTable(JSON.stringify(table), 'generated')).toEqual(table);
    expect(generatedTable(seeded(seed))).toEqual(table);
  }
});
