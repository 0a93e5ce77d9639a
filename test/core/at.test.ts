// Reads of an index that must exist.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at } from '../../runtime/core/at.ts';

test('an index of a list, a typed array or a string gives its value', () => {
  fc.assert(
    fc.property(fc.array(fc.double(), { minLength: 1 }), fc.nat(), (values, number) => {
      const index = number % values.length;
      expect(at(values, index)).toBe(values[index]);
      expect(at(Float64Array.from(values), index)).toBe(values[index]);
    }),
  );
  expect(at('abc', 1)).toBe('b');
});

test.each([-1, 2, 0.5, Number.NaN])('index %d of two values is an error that names both', index => {
  expect(() => at([0, 0], index)).toThrow(RangeError);
  expect(() => at([0, 0], index)).toThrow(new RegExp(`index ${index} .*\\b2\\b`));
});
