// Parses formulas of conditional formats.

import { WorkbookError } from '../../formats/spreadsheet/workbook.ts';
import { FUNCTION_NAMES } from './formula-functions.ts';
import type { FormulaNode } from './formula-values.ts';

const TOKEN =
  /\s*("(?:[^"]|"")*"|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|<>|<=|>=|[A-Za-z_$][\w.$]*|[-+*/^&=<>%(),:!{}[\]'#])\s*/y;

/** From the weakest to the strongest. */
const LEVELS: readonly (readonly string[])[] = [
  ['=', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

/** Bounds the depth of nested parts. */
const MAX_TOKENS = 400;

class SyntaxProblem extends Error {}

/** Undefined for a text that is not a formula. Throws a WorkbookError for a formula that is not supported. */
export function parseFormula(text: string): FormulaNode | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  const unsupported = (what: string): WorkbookError =>
    new WorkbookError(
      `The conditional format "${text}" has ${what}, which compare_table does not support. ` +
        'Leave conditional formats out of the expected file.',
    );
  if (tokens.length > MAX_TOKENS) throw unsupported(`more than ${MAX_TOKENS} parts`);
  let next = 0;
  const peek = (): string => tokens[next] ?? '';
  const take = (): string => tokens[next++] ?? '';
  const accept = (token: string): boolean => {
    const isNext = peek() === token;
    if (isNext) next += 1;
    return isNext;
  };

  const binary = (level: number): FormulaNode => {
    const operators = LEVELS[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    while (operators.includes(peek())) left = operation(take(), left, binary(level + 1));
    return left;
  };
  const unary = (): FormulaNode => {
    if (peek() === '-' || peek() === '+') return operation(take(), unary());
    let node = primary();
    while (accept('%')) node = operation('%', node);
    return node;
  };
  const primary = (): FormulaNode => {
    const token = take();
    if (token === '(') return closed(binary(0));
    if (token.startsWith('"')) return { kind: 'constant', value: token.slice(1, -1).replaceAll('""', '"') };
    if (/^[\d.]/.test(token)) return { kind: 'constant', value: Number(token) };
    if (/^[{[#']/.test(token) || peek() === ':' || peek() === '!') throw unsupported('a range or an array');
    if (!/^[A-Za-z_$]/.test(token)) throw new SyntaxProblem(token);
    return named(token.toUpperCase());
  };
  const named = (name: string): FormulaNode => {
    if (accept('(')) {
      if (!FUNCTION_NAMES.includes(name)) throw unsupported(`the function ${name}`);
      return { kind: 'function', name, arguments: list() };
    }
    if (name === 'TRUE' || name === 'FALSE') return { kind: 'constant', value: name === 'TRUE' };
    if (/^\$[A-Z]{1,3}\$\d+$/.test(name)) throw unsupported(`the fixed cell ${name}`);
    if (/^\$?[A-Z]{1,3}\$?\d+$/.test(name)) return { kind: 'reference', name };
    throw unsupported(`the name ${name}`);
  };
  const list = (): readonly FormulaNode[] => {
    if (accept(')')) return [];
    const nodes = [binary(0)];
    while (accept(',')) nodes.push(binary(0));
    if (!accept(')')) throw new SyntaxProblem(peek());
    return nodes;
  };
  const closed = (node: FormulaNode): FormulaNode => {
    if (!accept(')')) throw new SyntaxProblem(peek());
    return node;
  };

  try {
    const node = binary(0);
    return next === tokens.length ? node : undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}

const operation = (operator: string, ...nodes: readonly FormulaNode[]): FormulaNode => ({
  kind: 'operator',
  operator,
  arguments: nodes,
});

function tokenize(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) return undefined;
    tokens.push(token);
  }
  return tokens;
}
