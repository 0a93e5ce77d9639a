// Compares a spreadsheet with another one, or tests it, by a list of rules that all have to hold.

import { isFile, isRecord, type Metric, MetricError, pass } from '../metric.ts';
import { sameCharts, samePivots } from './chart-rules.ts';
import {
  sameColumns,
  sameFilter,
  sameFreeze,
  sameRows,
  sameStyles,
  validationsMatch,
  zoomMatches,
} from './layout-rules.ts';
import { type Books, openBook, UnreadableResult } from './table-books.ts';
import type { TableRule } from './table-rule.ts';
import { cellMatches, sameData, sameNames, samePrint, sameSparklines, similarCells } from './value-rules.ts';

const RULES: Readonly<Record<string, TableRule>> = {
  sheet_name: sameNames,
  sheet_data: sameData,
  sheet_print: samePrint,
  sheet_fuzzy: similarCells,
  sparkline: sameSparklines,
  chart: sameCharts,
  style: sameStyles,
  freeze: sameFreeze,
  zoom: zoomMatches,
  data_validation: validationsMatch,
  row_props: sameRows,
  col_props: sameColumns,
  filter: sameFilter,
  pivot_table: samePivots,
  check_cell: cellMatches,
};

export const compareTable: Metric = (result, expected, { rules }) => {
  if (!isFile(result)) return 0;
  try {
    const books: Books = {
      result: openBook('result', result),
      expected: isFile(expected) ? openBook('expected', expected) : missing(expected),
    };
    if (!Array.isArray(rules)) throw new MetricError('compare_table has no rules. Add them to its options.');
    return pass(rules.every(rule => holds(rule, books)));
  } catch (error) {
    if (error instanceof UnreadableResult) return 0;
    throw error;
  }
};

/** Rules that only test the result need no expected file. */
function missing(expected: unknown): undefined {
  if (expected === undefined || expected === null) return undefined;
  throw new MetricError(
    `compare_table expects a spreadsheet, but the task gives ${JSON.stringify(expected)}. Use a getter of a file.`,
  );
}

function holds(rule: unknown, books: Books): boolean {
  const type = isRecord(rule) ? rule['type'] : undefined;
  const test = typeof type === 'string' && Object.hasOwn(RULES, type) ? RULES[type] : undefined;
  if (test === undefined || !isRecord(rule))
    throw new MetricError(
      `${JSON.stringify(type) ?? 'undefined'} is not a rule of compare_table. Use ${Object.keys(RULES).join(', ')}.`,
    );
  return test(rule, books);
}
