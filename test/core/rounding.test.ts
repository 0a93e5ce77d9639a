import { expect, test } from 'vitest';
import { roundHalfToEven } from '../../runtime/core/rounding.ts';

test('halves round to the even neighbour, below 0 too', () => {
  const numbers = [0.5, 1.5, 2.5, 3.5, 22.5, 2.4, 2.6, -0.5, -1.5, -2.5, -0.4];
  expect(numbers.map(roundHalfToEven)).toEqual([0, 2, 2, 4, 22, 2, 3, 0, -2, -2, 0]);
});
