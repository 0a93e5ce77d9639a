import { describe, expect, test } from 'vitest';
import { generatedTable, readTable, shapeOf, TableError } from '../../../runtime/bench/curation/table.ts';
import { seeded } from '../../../runtime/core/rng.ts';

const row = (task: unknown, rewards: unknown) => ({ task, rewards });
const read = (value: unknown) => readTable(JSON.stringify(value), 'table.json');

test('a table is read as it is, whatever else its rows say', () => {
  expect(read([{ ...row('a', [0, 1, 0.5]), app: 'os' }, row('b', [1])])).toEqual([
    row('a', [0, 1, 0.5]),
    row('b', [1]),
  ]);
});

describe('a table that cannot be used is refused by its name, with where and what', () => {
  test.each<[string, unknown, RegExp]>([
    ['that is no list', { a: 1 }, /the table: /],
    ['without rows', [], /the table: /],
    ['with a row that has no task', [row('a', [1]), row(undefined, [1])], /row 2 task: /],
    ['with a task that is blank', [row(' ', [1])], /row 1 task: .*no task id/],
    ['with a row without rewards', [row('a', [])], /row 1 rewards: /],
    ['with a reward above 1', [row('a', [0, 1.7])], /row 1 rewards\[1\]: /],
    ['with a reward that is no number', [row('a', ['1'])], /row 1 rewards\[0\]: /],
    ['with a task twice', [row('a', [1]), row('a', [0])], /names the task 'a' twice: put all/],
    ['with much that is wrong', Array.from({ length: 9 }, () => row('a', [2])), /and 4 more/],
  ])('%s', (_, value, said) => {
    expect(() => read(value)).toThrow(TableError);
    expect(() => read(value)).toThrow(/'table.json'/);
    expect(() => read(value)).toThrow(said);
  });

  test('that is no JSON', () => {
    expect(() => readTable('[{', 'table.json')).toThrow(/'table.json' is no JSON: .*must be a list/);
  });
});

test('a generated table has the shape of the real one, of any seed, and the same of the same', () => {
  for (const seed of [1, 2, 3]) {
    const table = generatedTable(seeded(seed));
    const { mean, ...counts } = shapeOf(table);
    expect(counts).toEqual({ tasks: 369, never: 162, always: 32 });
    expect(Math.abs(mean - 0.3)).toBeLessThan(0.03);
    expect(table.every(({ rewards }) => rewards.length >= 28 && rewards.length <= 34)).toBe(true);
    expect(new Set(table.map(({ task }) => task)).size).toBe(369);
    expect(readTable(JSON.stringify(table), 'generated')).toEqual(table);
    expect(generatedTable(seeded(seed))).toEqual(table);
  }
});
