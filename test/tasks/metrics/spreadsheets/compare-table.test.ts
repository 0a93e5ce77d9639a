// compare_table: each type of rule holds for what should not matter and fails for what should.

import { describe, expect, test } from 'vitest';
import {
  type ChartModel,
  cell,
  type SheetModel,
} from '../../../../runtime/bench/osworld/cases/spreadsheets-model.ts';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { MetricError, type TaskFile } from '../../../../runtime/tasks/metrics/metric.ts';
import { compareTable } from '../../../../runtime/tasks/metrics/spreadsheets/compare-table.ts';
import { file, sheet } from './workbooks.ts';

const BOTH = { sheet_idx0: 0, sheet_idx1: 'EI0' };

const score = (result: unknown, expected: unknown, ...rules: readonly object[]): unknown =>
  compareTable(result, expected, { rules });

type Rows = Parameters<typeof sheet>[0];

const sameData = (a: Rows, b: Rows, precision?: number): unknown =>
  score(file(sheet(a)), file(sheet(b)), {
    type: 'sheet_data',
    ...BOTH,
    ...(precision !== undefined && { precision }),
  });

describe('sheet_data', () => {
  test('rounds fractions, and tells integers from fractions', () => {
    expect(sameData([['a'], [1.00004]], [['a'], [1.00001]])).toBe(1);
    expect(sameData([['a'], [1.0004]], [['a'], [1.0001]])).toBe(0);
    expect(sameData([['a'], [1.04]], [['a'], [1.01]], 1)).toBe(1);
    expect(sameData([['a'], [1.00001]], [['a'], [1]])).toBe(0);
  });

  test('reads texts of numbers as numbers where a whole column has them', () => {
    expect(sameData([['a'], ['007'], [' 2 ']], [['a'], [7], [2]])).toBe(1);
    expect(sameData([['a'], ['7'], ['x']], [['a'], [7], ['x']])).toBe(0);
    expect(sameData([['7'], [1]], [[7], [1]])).toBe(0);
  });

  test('takes empty cells, errors and texts such as N/A as equal missing values', () => {
    const missing = [null, 'N/A', { error: '#DIV/0!' }];
    for (const value of missing)
      expect(
        sameData(
          [
            ['a', 'b'],
            [value, 1],
            [2, 2],
          ],
          [
            ['a', 'b'],
            [null, 1],
            [2, 2],
          ],
        ),
      ).toBe(1);
    expect(sameData([['a'], ['x'], [0]], [['a'], ['x'], [null]])).toBe(0);
  });

  test('ignores empty rows at the end, formulas and styles, but not the names of columns', () => {
    expect(sameData([['a'], [3], [null], []], [['a'], [{ formula: 'SUM(A1)', result: 3 }]])).toBe(1);
    expect(
      sameData(
        [
          ['a', 'a'],
          [1, 2],
        ],
        [
          ['a', 'a.1'],
          [1, 2],
        ],
      ),
    ).toBe(1);
    expect(sameData([['a'], [1]], [['A'], [1]])).toBe(0);
  });
});

test('sheet_print reads the CSV files beside the workbooks', () => {
  const printed = (stem: string, text: string): TaskFile & { siblings: TaskFile[] } => ({
    ...file(sheet([]), `${stem}.xlsx`),
    siblings: [textFile(`${stem}-Sheet1.csv`, text)],
  });
  const rule = { type: 'sheet_print', ...BOTH };
  expect(score(printed('a', ' x,1\ny,2\n\n'), printed('b', 'x,1 \r\ny,2'), rule)).toBe(1);
  expect(score(printed('a', 'X,1'), printed('b', 'x,1'), rule)).toBe(0);
  expect(score(printed('a', 'X,1'), printed('b', 'x,1'), { ...rule, ignore_case: true })).toBe(1);
  expect(score(file(sheet([])), printed('b', 'x,1'), rule)).toBe(0);
  expect(() => score(printed('a', 'x'), file(sheet([])), rule)).toThrow(MetricError);
});

test('sheet_fuzzy compares printed values after its normalization', () => {
  const fuzzy = (a: string | number, b: string | number, rule: object): unknown =>
    score(file(sheet([[a]])), file(sheet([[b]])), {
      type: 'sheet_fuzzy',
      ...BOTH,
      rules: [{ range: ['A1:A1'], ...rule }],
    });
  expect(fuzzy(5, '5.0', { type: 'exact_match' })).toBe(1);
  expect(fuzzy('+ (01) 23-4', '0123', { type: 'includes', trim_leadings: '+ ', ignore_chars: ' ()-' })).toBe(
    1,
  );
  expect(
    fuzzy('Main Rd', 'main road', {
      type: 'exact_match',
      normalization: [['Rd', 'road']],
      ignore_case: true,
    }),
  ).toBe(1);
  expect(fuzzy('abcdefghij', 'abcdefghix', { type: 'fuzzy_match', threshold: 90 })).toBe(1);
  expect(fuzzy('abcdefghij', 'abcdefghxx', { type: 'fuzzy_match', threshold: 90 })).toBe(0);
});

test('check_cell tests the value and the style of a cell', () => {
  const result = file(sheet([[191.6667, 'x']]));
  const check = (props: object, coordinate = 'A1'): unknown =>
    score(result, undefined, { type: 'check_cell', sheet_idx: 0, coordinate, props });
  expect(check({ value: { method: 'approx:0.001', ref: 191.6664 } })).toBe(1);
  expect(check({ value: { method: 'approx:0.001', ref: 191.67 } })).toBe(0);
  expect(check({ value: { method: 'eq', ref: 'x' }, font_bold: { method: 'eq', ref: false } }, 'B1')).toBe(1);
  expect(check({ value: { method: 'lt', ref: 5 } }, 'B1')).toBe(0);
  expect(() => check({ value: { method: 'about', ref: 5 } })).toThrow(MetricError);
});

test('check_cell reads patterns and numbers as Python does', () => {
  const result = file(sheet([['Été', '0x10', 'A1:B3']]));
  const check = (coordinate: string, method: string, ref: unknown): unknown =>
    score(result, undefined, {
      ...{ type: 'check_cell', sheet_idx: 0, coordinate },
      props: { value: { method, ref } },
    });
  expect(check('A1', 're', '^\\w+$')).toBe(1);
  expect(check('B1', 'approx:0', 16)).toBe(0);
  expect(check('C1', 'spreadsheet_range', ['A1:A2', 'A1:C9'])).toBe(0);
});

test('style includes the conditional formats that apply', () => {
  const rule = { type: 'style', ...BOTH, props: ['bgcolor'] };
  const red = (change: (target: SheetModel) => void, value = 60): TaskFile => {
    const target = sheet([[value, 'amber'], [3]]);
    change(target);
    return file(target);
  };
  const condition = (formula: string) => (target: SheetModel) =>
    target.conditional.push(
      `<conditionalFormatting sqref="A1:A2"><cfRule type="cellIs" operator="greaterThan" dxfId="0" priority="1"><formula>${formula}</formula></cfRule></conditionalFormatting>`,
    );
  expect(score(red(condition('50')), red(condition('40')), rule)).toBe(1);
  expect(score(red(condition('50')), red(condition('2')), rule)).toBe(0);
  expect(
    score(
      red(() => undefined),
      red(condition('99')),
      rule,
    ),
  ).toBe(1);
  const filled = red(target => target.rows[0]?.splice(1, 1, cell('amber', 2)));
  expect(
    score(
      filled,
      red(() => undefined),
      rule,
    ),
  ).toBe(0);
  // A formula that is not supported: of the agent it scores 0, of the expected file it is an error of the task.
  for (const formula of ['$B$1', 'COUNTIF(A1:A2,60)']) {
    expect(score(red(condition(formula)), filled, rule)).toBe(0);
    for (const result of [filled, red(condition(formula))])
      expect(() => score(result, red(condition(formula)), rule)).toThrow(/expected file: .* not support/);
  }
});

test('chart compares the requested properties of charts with the same series', () => {
  const chart: ChartModel = {
    type: 'barChart',
    direction: 'bar',
    title: 'Sales',
    xTitle: null,
    yTitle: null,
    legend: 'r',
    series: [{ values: 'Sheet1!$B$2:$B$6', categories: 'Sheet1!$A$2:$A$6', isNumeric: false }],
    from: [1, 1],
    isOneCell: false,
  };
  const withChart = (change: Partial<ChartModel>): TaskFile =>
    file({ ...sheet([[1]]), charts: [{ ...chart, ...change }] });
  const rule = { type: 'chart', ...BOTH, chart_props: ['type', 'title'] };
  expect(score(withChart({ legend: 'b' }), withChart({}), rule)).toBe(1);
  expect(score(withChart({ title: 'Costs' }), withChart({}), rule)).toBe(0);
  expect(score(withChart({ type: 'lineChart' }), withChart({}), rule)).toBe(0);
  expect(score(withChart({ series: [] }), withChart({}), rule)).toBe(0);
});

test('all rules have to hold', () => {
  const result = file(sheet([[1]]));
  const names = { type: 'sheet_name' };
  const zoom = (ref: number) => ({ type: 'zoom', sheet_idx: 0, method: 'lt', ref });
  expect(score(result, result, names, zoom(260))).toBe(1);
  expect(score(result, result, names, zoom(90))).toBe(0);
  expect(() => score(result, result, { type: 'colors' })).toThrow(MetricError);
});

test('an unreadable result scores 0, an unreadable expected file is an error of the task', () => {
  const good = file(sheet([[1]]));
  const rule = { type: 'sheet_data', ...BOTH };
  for (const bad of [
    null,
    textFile('a.xlsx', 'a,b'),
    { ...good, name: 'a.ods' },
    { ...good, bytes: good.bytes.subarray(0, 900) },
  ])
    expect(score(bad, good, rule)).toBe(0);
  expect(() => score(good, textFile('a.xlsx', 'a,b'), rule)).toThrow(MetricError);
  expect(() => score(good, undefined, rule)).toThrow(MetricError);
});
