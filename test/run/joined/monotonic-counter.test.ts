// A counter over restarts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MonotonicCounter } from '../../../runtime/run/joined/monotonic-counter.ts';

test('is the sum of the counts of all processes', () => {
  const lives = fc.array(fc.array(fc.nat({ max: 50 }), { minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.nat(), lives, (before, each) => {
      const counts = each.map(steps =>
        steps.map((_, at) => 1 + steps.slice(0, at + 1).reduce((a, b) => a + b)),
      );
      const growing = new MonotonicCounter(before);
      let last = before;
      for (const life of counts) {
        growing.record(0);
        for (const count of life) {
          growing.record(count);
          expect(growing.count).toBeGreaterThanOrEqual(last);
          last = growing.count;
        }
      }
      expect(growing.count).toBe(counts.reduce((sum, life) => sum + (life.at(-1) ?? 0), before));
    }),
  );
});
