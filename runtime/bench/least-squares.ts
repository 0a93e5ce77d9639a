// A linear model by least squares, with 95 % intervals of its coefficients. Pure.

import { studentT } from '../data/interval.ts';

export interface Coefficient {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Each row has the factors of one observation. There must be more rows than factors, and no factor may follow from the others. */
export function leastSquares(
  rows: readonly (readonly number[])[],
  observed: readonly number[],
): readonly Coefficient[] {
  const count = rows[0]?.length ?? 0;
  const freedom = rows.length - count;
  if (freedom < 1)
    throw new RangeError(`${rows.length} observations cannot give ${count} coefficients. Observe more.`);
  const columns = Array.from({ length: count }, (_, index) => rows.map(row => row[index] ?? 0));
  const inverse = inverseOf(columns.map(one => columns.map(other => dot(one, other))));
  const moments = columns.map(column => dot(column, observed));
  const values = inverse.map(row => dot(row, moments));
  const residuals = rows.map((row, index) => (observed[index] ?? 0) - dot(row, values));
  const variance = dot(residuals, residuals) / freedom;
  return values.map((value, index) => {
    const half = studentT(freedom) * Math.sqrt(variance * (inverse[index]?.[index] ?? 0));
    return { value, low: value - half, high: value + half };
  });
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** Gauss and Jordan, with the largest pivot. */
function inverseOf(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...row.map((_, column) => Number(column === index))]);
  for (let pivot = 0; pivot < size; pivot++) {
    const below = rows.slice(pivot).map(row => Math.abs(row[pivot] ?? 0));
    const largest = pivot + below.indexOf(Math.max(...below));
    const chosen = rows[largest] ?? [];
    const scale = chosen[pivot] ?? 0;
    if (scale === 0) throw new RangeError(`Factor ${pivot + 1} follows from the others. Leave it out.`);
    rows[largest] = rows[pivot] ?? [];
    const scaled = chosen.map(value => value / scale);
    rows.forEach((row, index) => {
      const factor = row[pivot] ?? 0;
      rows[index] =
        index === pivot ? scaled : row.map((value, column) => value - factor * (scaled[column] ?? 0));
    });
  }
  return rows.map(row => row.slice(size));
}
