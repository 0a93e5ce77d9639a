// Values and parts of formulas.

/** A value such as #VALUE!. */
export const FORMULA_ERROR: unique symbol = Symbol('a formula has an error');

export type FormulaValue = string | number | boolean | typeof FORMULA_ERROR;

export type FormulaNode =
  | { readonly kind: 'constant'; readonly value: FormulaValue }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string; readonly arguments: readonly FormulaNode[] }
  | { readonly kind: 'operator'; readonly operator: string; readonly arguments: readonly FormulaNode[] };

/** A text that is a number counts as one; undefined for other texts and errors. */
export function numberOf(value: FormulaValue): number | undefined {
  if (typeof value === 'symbol') return undefined;
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}

export const textOfValue = (value: FormulaValue): string =>
  typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : typeof value === 'symbol' ? '' : String(value);

const rank = (value: FormulaValue): number =>
  typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2;

/** Numbers come before texts and texts before Booleans. Texts compare without case. */
export function compareValues(a: FormulaValue, b: FormulaValue): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  const [x, y] = [a, b].map(value => (typeof value === 'string' ? value.toLowerCase() : Number(value)));
  if (x === undefined || y === undefined || x === y) return 0;
  return x < y ? -1 : 1;
}

/** A conditional format applies where its formula has this. An error counts too, as in the library that OSWorld uses. */
export const isTrue = (value: FormulaValue): boolean =>
  value === FORMULA_ERROR || (typeof value === 'string' ? value !== '' : Boolean(value));
