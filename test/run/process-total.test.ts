import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProcessTotal } from '../../runtime/run/process-total.ts';

test('the total is the sum over all processes, whatever the first report of each is', () => {
  const process = fc.array(fc.nat(1000), { minLength: 1 }).map(parts => parts.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(fc.nat(100), fc.array(process), (before, processes) => {
      const total = new ProcessTotal(before);
      for (const [since, amounts] of processes.entries())
        for (const amount of amounts) total.record(amount, since);
      expect(total.total).toBe(before + processes.reduce((sum, amounts) => sum + (amounts.at(-1) ?? 0), 0));
    }),
  );
});

test('a report that is late or unreadable changes nothing', () => {
  const total = new ProcessTotal(undefined);
  for (const amount of [5, 3, Number.NaN, undefined, 5]) total.record(amount, 1);
  expect(total.total).toBe(5);
});

test('an amount that nobody knows has no total', () => {
  const total = new ProcessTotal(undefined);
  total.record(undefined, 1);
  expect(total.total).toBeUndefined();
  total.record(0, 1);
  expect(total.total).toBe(0);
});
