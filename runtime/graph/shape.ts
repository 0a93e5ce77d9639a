// Symbolic shapes. A dimension is a number, or a product of a number and symbols ("B", "80*B") whose values are known only when the
// graph runs. Functions return undefined on errors; the callers throw.

export type Dim = number | string;
export type TensorShape = readonly Dim[];

export const show = (shape: TensorShape): string => `[${shape.join(',')}]`;

interface Monomial {
  readonly factor: number;
  readonly symbols: readonly string[];
}

function read(dim: Dim): Monomial {
  if (typeof dim === 'number') return { factor: dim, symbols: [] };
  const parts = dim.split('*');
  const factor = Number(parts[0]);
  return Number.isNaN(factor) ? { factor: 1, symbols: parts } : { factor, symbols: parts.slice(1) };
}

function write({ factor, symbols }: Monomial): Dim {
  if (symbols.length === 0 || factor === 0) return factor;
  const product = [...symbols].sort().join('*');
  return factor === 1 ? product : `${factor}*${product}`;
}

export function times(a: Dim, b: Dim): Dim {
  const [left, right] = [read(a), read(b)];
  return write({ factor: left.factor * right.factor, symbols: [...left.symbols, ...right.symbols] });
}

/** a / b; undefined if that is not a whole number for all values of the symbols. */
export function dividedBy(a: Dim, b: Dim): Dim | undefined {
  const [above, below] = [read(a), read(b)];
  const symbols = [...above.symbols];
  for (const symbol of below.symbols) {
    const at = symbols.indexOf(symbol);
    if (at < 0) return undefined;
    symbols.splice(at, 1);
  }
  const factor = above.factor / below.factor;
  return Number.isInteger(factor) ? write({ factor, symbols }) : undefined;
}

/** The value of a dimension; undefined if the value of a symbol is unknown. */
export function resolve(dim: Dim, symbols: ReadonlyMap<string, number>): number | undefined {
  const parts = read(dim);
  let value = parts.factor;
  for (const symbol of parts.symbols) value *= symbols.get(symbol) ?? Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** Solves a dimension with one symbol for a size. A size that is no multiple is rounded; the shape check rejects it later. */
export function solved(
  dim: Dim,
  size: number,
): { readonly symbol: string; readonly value: number } | undefined {
  const { factor, symbols } = read(dim);
  const [symbol, ...others] = symbols;
  return symbol === undefined || others.length > 0 ? undefined : { symbol, value: Math.round(size / factor) };
}

export const isSymbol = (dim: Dim): dim is string =>
  typeof dim === 'string' && read(dim).factor === 1 && !dim.includes('*');

/** Whether a dimension is a positive integer, or symbols with an optional factor in canonical form. */
export function isDim(dim: Dim): boolean {
  if (typeof dim === 'number') return Number.isSafeInteger(dim) && dim >= 1;
  const { factor, symbols } = read(dim);
  return (
    symbols.every(symbol => /^[A-Za-z]\w*$/.test(symbol)) &&
    symbols.length > 0 &&
    factor >= 1 &&
    write(read(dim)) === dim
  );
}

export const sizeOf = (shape: TensorShape): Dim => shape.reduce(times, 1);

export const isStatic = (shape: TensorShape): shape is readonly number[] =>
  shape.every(dim => typeof dim === 'number');

export const sameShape = (a: TensorShape, b: TensorShape): boolean =>
  a.length === b.length && a.every((dim, axis) => dim === b[axis]);

/** The shape of an elementwise result; undefined if the shapes cannot be broadcast. */
export function broadcast(a: TensorShape, b: TensorShape): TensorShape | undefined {
  const rank = Math.max(a.length, b.length);
  const result: Dim[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left !== right && left !== 1 && right !== 1) return undefined;
    result.push(left === 1 ? right : left);
  }
  return result;
}

/** The axis counted from the front; undefined if the shape has no such axis. */
export function axisOf(axis: number, rank: number): number | undefined {
  const counted = axis < 0 ? axis + rank : axis;
  return Number.isInteger(counted) && counted >= 0 && counted < rank ? counted : undefined;
}

export const replaceAt = (shape: TensorShape, axis: number, dim: Dim): TensorShape =>
  shape.map((old, at) => (at === axis ? dim : old));
