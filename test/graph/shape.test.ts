// Laws of symbolic dimensions: they hold for all values of the symbols.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  broadcast,
  type Dim,
  dividedBy,
  resolve,
  sizeOf,
  type TensorShape,
  times,
} from '../../runtime/graph/shape.ts';

const SYMBOLS = new Map([
  ['B', 5],
  ['K', 7],
]);
const dim: fc.Arbitrary<Dim> = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.subarray(['B', 'K']))
  .map(([factor, symbols]) => symbols.reduce<Dim>(times, factor));
const valued = (each: Dim): number => resolve(each, SYMBOLS) ?? Number.NaN;

test('a product of dimensions has the product of their values', () => {
  fc.assert(
    fc.property(dim, dim, (a, b) => {
      expect(valued(times(a, b))).toBe(valued(a) * valued(b));
    }),
  );
});

test('a product can be divided by each of its factors', () => {
  fc.assert(
    fc.property(dim, dim, (a, b) => {
      expect(dividedBy(times(a, b), b)).toBe(a);
    }),
  );
});

test('a quotient exists only if it is whole for all values of the symbols', () => {
  expect(dividedBy('80*B', 'B')).toBe(80);
  expect(dividedBy('80*B', 3)).toBeUndefined();
  expect(dividedBy(80, 'B')).toBeUndefined();
});

test('the order in which symbols are multiplied does not matter', () => {
  fc.assert(
    fc.property(fc.array(dim, { maxLength: 4 }), dims => {
      expect(sizeOf(dims)).toBe(sizeOf([...dims].reverse()));
    }),
  );
});

test('broadcasting is commutative and idempotent', () => {
  const shape: fc.Arbitrary<TensorShape> = fc.array(fc.oneof(dim, fc.constant(1)), { maxLength: 4 });
  fc.assert(
    fc.property(shape, shape, (a, b) => {
      expect(broadcast(a, b)).toEqual(broadcast(b, a));
    }),
  );
  fc.assert(
    fc.property(shape, a => {
      expect(broadcast(a, a)).toEqual(a);
    }),
  );
});

test('a dimension whose symbol is unknown has no value', () => {
  expect(resolve('80*C', SYMBOLS)).toBeUndefined();
  expect(resolve(80, new Map())).toBe(80);
});
