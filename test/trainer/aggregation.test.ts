// The share of each row in the loss, and updates of constant cost, against values computed by hand.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowDivisors, withinBudget } from '../../runtime/trainer/aggregation.ts';

const loss = (terms: readonly number[], divisors: readonly number[]): number =>
  terms.reduce((sum, term, index) => sum + term / (divisors[index] ?? Number.NaN), 0);

test('three ways to average rows of 1 and 3 tokens with the terms 0.5 and -1', () => {
  const divisors = (of: Partial<Parameters<typeof rowDivisors>[1]>) =>
    rowDivisors([1, 3], { aggregation: 'steps', budget: 0, ...of });
  // (0.5 − 1) / 2
  expect(loss([0.5, -1], divisors({}))).toBeCloseTo(-0.25, 12);
  // (1·0.5 − 3·1) / 4
  expect(loss([0.5, -1], divisors({ aggregation: 'tokens' }))).toBeCloseTo(-0.625, 12);
  // (1·0.5 − 3·1) / 10
  expect(loss([0.5, -1], divisors({ budget: 10 }))).toBeCloseTo(-0.25, 12);
});

test('the mean over tokens is that over steps where all rows have as many, and a budget of all tokens changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 }), tokens => {
      const all = tokens.reduce((sum, each) => sum + each, 0);
      const ofTokens = rowDivisors(tokens, { aggregation: 'tokens', budget: 0 });
      expect(rowDivisors(tokens, { aggregation: 'steps', budget: all })).toEqual(ofTokens);
      const equal = tokens.map(() => 7);
      expect(rowDivisors(equal, { aggregation: 'tokens', budget: 0 })).toEqual(
        rowDivisors(equal, { aggregation: 'steps', budget: 0 }),
      );
    }),
  );
});

test('rows fill one update after another; the rest does not train', () => {
  const packs = (rows: readonly number[], budget: number) => withinBudget(rows, row => row, budget);
  // 3 + 4 ≥ 6, then 2 + 5 ≥ 6; 1 is left.
  expect(packs([3, 4, 2, 5, 1], 6)).toEqual([
    [3, 4],
    [2, 5],
  ]);
  expect(packs([3, 2], 6)).toEqual([[3, 2]]);
  expect(packs([], 6)).toEqual([]);
});

test('each update reaches its budget with its last row, in the order of the rows', () => {
  const rows = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 60 }), (all, budget) => {
      const packs = withinBudget(all, row => row, budget);
      expect(all.slice(0, packs.flat().length)).toEqual(packs.flat());
      const total = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0);
      if (total(all) < budget) expect(packs.flat()).toEqual(all);
      else
        for (const pack of packs) {
          expect(total(pack)).toBeGreaterThanOrEqual(budget);
          expect(total(pack.slice(0, -1))).toBeLessThan(budget);
        }
    }),
  );
});
