// The reader of workbooks: values of cells with their types, and names of ranges.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cell, sheetModel } from '../../../runtime/bench/osworld/cases/spreadsheets-model.ts';
import {
  columnName,
  MAX_ROW,
  parseCell,
  parseRange,
} from '../../../runtime/tasks/formats/spreadsheet/coordinates.ts';
import { readWorkbook, WorkbookError } from '../../../runtime/tasks/formats/spreadsheet/workbook.ts';
import { frameOf } from '../../../runtime/tasks/metrics/spreadsheets/data-frame.ts';
import { file } from '../metrics/spreadsheets/workbooks.ts';

test('names of columns and numbers of columns are one to one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 18_278 }),
      fc.integer({ min: 1, max: 1_048_576 }),
      (column, row) => {
        expect(parseCell(`${columnName(column)}$${row}`)).toEqual({ row, column });
      },
    ),
  );
  expect([1, 26, 27, 702, 703].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  for (const wrong of ['A', '1', 'A0', 'AAAA1', 'B2:A1', 'A:B', 'A1:B2:C3'])
    expect(parseRange(wrong)).toBeUndefined();
});

test.each(['calc', 'excel', 'openpyxl'] as const)('reads values and dates as %s writes them', writer => {
  const row = [
    cell('a <b>'),
    cell(2.5),
    cell(true),
    cell(44_000.5, 5),
    cell(0.25, 6),
    cell(1.5, 7),
    cell({ error: '#N/A' }),
  ];
  const [sheet] = readWorkbook(file(sheetModel('S', [row]), 'b.xlsx', { writer }).bytes).sheets;
  expect([...(sheet?.cells.values() ?? [])].map(({ shown }) => shown.value)).toEqual([
    'a <b>',
    2.5,
    true,
    { kind: 'dateTime', ms: Date.UTC(2020, 5, 18, 12) },
    { kind: 'time', ms: 6 * 3_600_000 },
    { kind: 'duration', ms: 36 * 3_600_000 },
    '#N/A',
  ]);
});

test('a table ends at the last possible row', () => {
  const [table = expect.fail()] = readWorkbook(file(sheetModel('S', [[cell('a')], [cell(1)]])).bytes).sheets;
  const withRow = (index: number) => {
    const [first = expect.fail(), second = expect.fail()] = table.rows;
    return frameOf({ ...table, rows: [first, { ...second, index }] });
  };
  expect(withRow(MAX_ROW).columns[0]?.values).toHaveLength(MAX_ROW - 1);
  for (const index of [MAX_ROW + 1, 999_999_999_999])
    expect(() => withRow(index)).toThrow(new RegExp(`a row ${index}\\.`));
});

test('a damaged part makes the workbook unreadable', () => {
  const { bytes } = file(sheetModel('S', [[cell('a')]]));
  for (const length of [0, 10, bytes.length - 30])
    expect(() => readWorkbook(bytes.subarray(0, length))).toThrow(WorkbookError);
});
