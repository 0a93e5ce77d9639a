import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptRow } from '../../runtime/agents/micro/row.ts';
import { meanState, rateAt } from '../../runtime/cloning/cloning.ts';
import type { Demonstration } from '../../runtime/cloning/demonstrations.ts';
import { byLength } from '../../runtime/cloning/examples.ts';
import { tensor } from '../../runtime/graph/tensor.ts';

const exampleOf = (length: number): Demonstration => {
  const size = { width: 1, height: 1 };
  const row = promptRow({ text: '!'.repeat(length) });
  return { mode: 'a11y_tree', row, reply: '', frame: { screen: size, sent: size, elements: [] } };
};

test('each example is in one batch, and no batch exceeds its tokens with padding', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 200 }), (all, tokens) => {
      const pool = all.map(exampleOf);
      const batches = byLength(pool, tokens);
      expect(new Set(batches.flat())).toEqual(new Set(pool));
      expect(batches.flat()).toHaveLength(pool.length);
      for (const batch of batches) {
        const longest = Math.max(...batch.map(({ row }) => row.entries.length));
        expect(batch.length === 1 || batch.length * longest <= tokens).toBe(true);
      }
    }),
  );
});

test('the learning rate warms up, peaks at 1 and ends low', () => {
  const rates = Array.from({ length: 101 }, (_, percent) => rateAt(percent / 100));
  expect(Math.max(...rates)).toBeCloseTo(1, 2);
  expect(rates[0]).toBeLessThan(0.1);
  expect(rates.at(-1)).toBeCloseTo(0.05, 5);
  const afterPeak = rates.slice(5);
  expect(afterPeak).toEqual([...afterPeak].sort((a, b) => b - a));
});

test('replicas exchange the mean of their floats and keep their step count', () => {
  const stateOf = (value: number) => ({
    weights: tensor('float32', [2], Float32Array.of(value, 2 * value)),
    'adam.step': tensor('int64', [], BigInt64Array.of(7n)),
  });
  const mean = meanState([stateOf(1), stateOf(3)]);
  expect([...(mean['weights']?.data ?? [])]).toEqual([2, 4]);
  expect([...(mean['adam.step']?.data ?? [])]).toEqual([7n]);
});
