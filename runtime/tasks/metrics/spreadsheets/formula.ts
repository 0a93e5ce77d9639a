// Formulas of conditional formats, with the one cell that they are about. Only constants, comparisons, arithmetic and the functions below.

import { cellName, parseCell } from '../../formats/spreadsheet/coordinates.ts';
import { callFunction } from './formula-functions.ts';
import { parseFormula } from './formula-parser.ts';
import {
  compareValues,
  FORMULA_ERROR,
  type FormulaNode,
  type FormulaValue,
  numberOf,
  textOfValue,
} from './formula-values.ts';

export interface Formula {
  /** The cells that the formula names. */
  readonly references: ReadonlySet<string>;
  /** Every reference has the value of the tested cell. */
  evaluate(cell: FormulaValue): FormulaValue;
}

/** Undefined for a text that is not a formula. Throws a WorkbookError for a formula that is not supported. */
export function compileFormula(text: string): Formula | undefined {
  const node = parseFormula(text);
  if (node === undefined) return undefined;
  const references = new Set<string>();
  collect(node, references);
  return { references, evaluate: cell => evaluate(node, cell) };
}

function collect(node: FormulaNode, references: Set<string>): void {
  if (node.kind === 'reference') {
    const position = parseCell(node.name);
    references.add(position === undefined ? node.name : cellName(position));
  }
  if ('arguments' in node) for (const each of node.arguments) collect(each, references);
}

function evaluate(node: FormulaNode, cell: FormulaValue): FormulaValue {
  if (node.kind === 'constant') return node.value;
  if (node.kind === 'reference') return cell;
  const values = node.arguments.map(each => evaluate(each, cell));
  if (node.kind === 'function') return callFunction(node.name, values);
  return operate(node.operator, values);
}

function operate(operator: string, [first = FORMULA_ERROR, second]: readonly FormulaValue[]): FormulaValue {
  if (first === FORMULA_ERROR || second === FORMULA_ERROR) return FORMULA_ERROR;
  if (second === undefined) return changed(operator, first);
  if (operator === '&') return textOfValue(first) + textOfValue(second);
  const order = compareValues(first, second);
  switch (operator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    case '>=':
      return order >= 0;
  }
  return calculate(operator, numberOf(first), numberOf(second));
}

function changed(operator: string, value: FormulaValue): FormulaValue {
  const number = numberOf(value);
  if (number === undefined) return FORMULA_ERROR;
  if (operator === '%') return number / 100;
  return operator === '-' ? -number : number;
}

function calculate(operator: string, a: number | undefined, b: number | undefined): FormulaValue {
  if (a === undefined || b === undefined) return FORMULA_ERROR;
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? FORMULA_ERROR : a / b;
    default:
      return a ** b;
  }
}
