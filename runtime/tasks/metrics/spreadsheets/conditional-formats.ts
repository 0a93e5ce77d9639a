// The cells to which the conditional formats of a sheet apply, as far as OSWorld evaluates them.

import { cellName, positionsOf } from '../../formats/spreadsheet/coordinates.ts';
import { type RawSheet, rawSheet } from '../../formats/spreadsheet/raw-values.ts';
import type { DifferentialFormat } from '../../formats/spreadsheet/styles.ts';
import type { ConditionalFormat, ConditionalRule, Worksheet } from '../../formats/spreadsheet/worksheet.ts';
import { compileFormula, type Formula } from './formula.ts';
import { FORMULA_ERROR, type FormulaValue, isTrue } from './formula-values.ts';
import { type Book, reading, unreadable } from './table-books.ts';

type Condition = (value: string | number) => boolean;

export interface ActiveFormat {
  readonly cell: string;
  readonly format: DifferentialFormat | undefined;
}

const FORMULA_TYPES = [
  ...['expression', 'containsText', 'notContainsText', 'endsWith', 'beginsWith'],
  ...['containsErrors', 'notContainsErrors'],
];

/** After this many empty cells the rest of a range counts as empty. */
const MAX_EMPTY = 50;

/** Later formats come after earlier ones. */
export function activeFormats(book: Book, sheet: Worksheet): readonly ActiveFormat[] {
  const active: ActiveFormat[] = [];
  if (sheet.conditionalFormats.length === 0) return active;
  const values = rawSheet(book.workbook.office, sheet.name);
  // A rule of another type, such as a color scale, keeps the condition of the rule before it.
  let condition: Condition | undefined;
  for (const { ranges, rules } of sheet.conditionalFormats)
    for (const rule of rules) {
      const formulas = compiled(book, rule);
      if (!formulas.every(formula => formula !== undefined)) continue;
      const next = conditionOf(rule, formulas, book);
      if (next === 'skip') continue;
      condition = next ?? condition;
      if (condition === undefined) continue;
      for (const cell of matchingCells(ranges, values, condition)) {
        if (rule.formulas.length === 0)
          unreadable(book.side, 'A conditional format has no formula. Remove it.');
        active.push({ cell, format: rule.format });
      }
    }
  return active;
}

/** Reads all formulas: one that is not supported makes its file unreadable. */
export function requireSupported(book: Book, { conditionalFormats }: Worksheet): void {
  for (const { rules } of conditionalFormats) for (const rule of rules) compiled(book, rule);
}

const compiled = (book: Book, { formulas }: ConditionalRule): readonly (Formula | undefined)[] =>
  reading(book.side, () => formulas.map(compileFormula));

/** Undefined for a type of rule that has no condition of its own. */
function conditionOf(
  { type, operator }: ConditionalRule,
  formulas: readonly Formula[],
  book: Book,
): Condition | 'skip' | undefined {
  if (FORMULA_TYPES.includes(type)) {
    const [formula] = formulas;
    if (formula === undefined) return unreadable(book.side, 'A conditional format has no formula. Add one.');
    // Without one cell to put the value into, the formula cannot be evaluated.
    return value => formula.references.size === 1 && isTrue(formula.evaluate(value));
  }
  if (type !== 'cellIs') return undefined;
  if (formulas.some(({ references }) => references.size > 0)) return 'skip';
  const limits = formulas.map(formula => formula.evaluate(FORMULA_ERROR));
  return value => comparesWith(operator, value, limits);
}

function* matchingCells(
  ranges: ConditionalFormat['ranges'],
  values: RawSheet,
  condition: Condition,
): Generator<string> {
  let empty = 0;
  for (const range of ranges)
    for (const position of positionsOf(range)) {
      const cell = cellName(position);
      const value = values.valueOf(cell);
      if (value !== null) {
        if (condition(value)) yield cell;
        continue;
      }
      empty += 1;
      if (empty > MAX_EMPTY) break;
    }
}

function comparesWith(
  operator: string | null,
  value: string | number,
  limits: readonly FormulaValue[],
): boolean {
  const [first] = limits;
  if (first === undefined) return false;
  if (operator === 'equal') return same(value, first);
  if (operator === 'notEqual') return !same(value, first);
  if (operator === 'between' || operator === 'notBetween') {
    const [low, high] = extremes(limits);
    if (low === undefined || high === undefined) return false;
    const [fromLow, toHigh] = [order(value, low), order(value, high)];
    if (fromLow === undefined || toHigh === undefined) return false;
    return operator === 'between' ? fromLow >= 0 && toHigh <= 0 : fromLow < 0 || toHigh > 0;
  }
  const compared = order(value, first);
  if (compared === undefined) return false;
  switch (operator) {
    case 'lessThan':
      return compared < 0;
    case 'lessThanOrEqual':
      return compared <= 0;
    case 'greaterThan':
      return compared > 0;
    case 'greaterThanOrEqual':
      return compared >= 0;
    default:
      return false;
  }
}

/** Unlike in formulas, upper and lower case differ, and a Boolean is a number. */
const plain = (value: FormulaValue): string | number | undefined =>
  typeof value === 'symbol' ? undefined : typeof value === 'boolean' ? Number(value) : value;

const same = (a: FormulaValue, b: FormulaValue): boolean => plain(a) !== undefined && plain(a) === plain(b);

/** Undefined for values of different types. */
function order(a: FormulaValue, b: FormulaValue): number | undefined {
  const [x, y] = [plain(a), plain(b)];
  if (x === undefined || y === undefined || typeof x !== typeof y) return undefined;
  return x === y ? 0 : x < y ? -1 : 1;
}

function extremes(limits: readonly FormulaValue[]): readonly (FormulaValue | undefined)[] {
  let low = limits[0];
  let high = limits[0];
  for (const limit of limits) {
    if (low === undefined || high === undefined) return [];
    const [below, above] = [order(limit, low), order(limit, high)];
    if (below === undefined || above === undefined) return [];
    if (below < 0) low = limit;
    if (above > 0) high = limit;
  }
  return [low, high];
}
