import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argsort } from '../../../runtime/tasks/formats/python/argsort.ts';

// The expected places were printed by NumPy 1.26.4 with NPY_DISABLE_CPU_FEATURES=AVX512F.
test.each([
  ['few', [2, 1, 2, 1], [1, 3, 0, 2]],
  ['equal', new Array(20).fill(5), [0, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 18, 19]],
  [
    'alternating',
    Array.from({ length: 21 }, (_, index) => [3, 1, 2][index % 3] ?? 0),
    [10, 1, 16, 4, 13, 7, 19, 17, 14, 11, 20, 8, 5, 2, 12, 6, 15, 3, 18, 9, 0],
  ],
])('%s numbers are in the order of NumPy', (_, values, places) => {
  expect(argsort(values)).toEqual(places);
});

/** Numbers that make the quicksort divide off one number at a time, so that heapsort takes over. */
function worst(half: number): readonly number[] {
  const values = new Array<number>(2 * half).fill(0);
  for (let index = 1; index <= half; index++) {
    if (index % 2 === 1) {
      values[index - 1] = index;
      values[index] = half + index;
    }
    values[half + index - 1] = 2 * index;
  }
  return values.map(value => Math.floor(value / 8));
}

test('the worst numbers for a quicksort are in the order of NumPy', () => {
  const places = argsort(worst(200));
  expect(places.slice(0, 16)).toEqual([0, 6, 4, 200, 2, 201, 202, 204, 203, 12, 206, 14, 205, 8, 10, 207]);
  const hash = createHash('sha256').update(places.join(',')).digest('hex');
  expect(hash).toBe('7fece6f7d1e229fe4f2459520128b5f2f96483a5141af21c026d47591bcde748');
});

test('each place appears once, and the numbers ascend', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 200 }), values => {
      const places = argsort(values);
      expect([...places].sort((a, b) => a - b)).toEqual(values.map((_, index) => index));
      const sorted = places.map(place => values[place]);
      expect(sorted).toEqual([...values].sort((a, b) => a - b));
    }),
  );
});
