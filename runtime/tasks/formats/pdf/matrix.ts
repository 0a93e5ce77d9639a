// Transformations of the plane, as PDF writes them: (x, y) becomes (a·x + c·y + e, b·x + d·y + f).

import { at } from '../../../core/at.ts';

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First the left one, then the right one. */
export const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + b * i,
  a * h + b * j,
  c * g + d * i,
  c * h + d * j,
  e * g + f * i + k,
  e * h + f * j + l,
];

/** A matrix from a list or a typed array; the identity for everything else. */
export function matrixOf(value: unknown): Matrix {
  if (typeof value !== 'object' || value === null || !('length' in value) || value.length !== 6)
    return IDENTITY;
  const numbers = Array.from(value as ArrayLike<unknown>, Number);
  return [at(numbers, 0), at(numbers, 1), at(numbers, 2), at(numbers, 3), at(numbers, 4), at(numbers, 5)];
}
