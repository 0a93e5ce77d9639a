// Confidence intervals: reference values, properties of random tallies, and coverage with different tasks.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { clustered, type SuccessTally, studentT, wilson } from '../../runtime/data/interval.ts';

const tally = fc
  .tuple(fc.nat(60), fc.nat(60))
  .map(([a, b]): SuccessTally => ({ successes: Math.min(a, b), trials: Math.max(a, b) }));

test.each([
  // As Newcombe's tables have them.
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [29, 29, 0.883, 1],
])("Wilson's interval of %d of %d", (successes, trials, low, high) => {
  const interval = wilson({ successes, trials });
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

test.each([
  [1, 12.7062],
  [2, 4.3027],
  [4, 2.7764],
  [10, 2.2281],
  [30, 2.0423],
  [1000, 1.9623],
])("Student's t with %d degrees of freedom", (freedom, value) => {
  expect(Math.abs(studentT(freedom) / value - 1)).toBeLessThan(0.002);
});

test('an interval contains the rate and lies within 0 and 1', () => {
  fc.assert(
    fc.property(fc.array(tally, { maxLength: 12 }), tasks => {
      const { successes, trials, rate, low, high } = clustered(tasks);
      expect(successes).toBe(tasks.reduce((sum, each) => sum + each.successes, 0));
      expect(trials).toBe(tasks.reduce((sum, each) => sum + each.trials, 0));
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      if (trials === 0) expect([low, high]).toEqual([0, 1]);
      else expect(low <= rate && rate <= high).toBe(true);
    }),
  );
});

test('swapping failures and successes mirrors the interval, and the order of tasks does not matter', () => {
  fc.assert(
    fc.property(fc.array(tally, { minLength: 1, maxLength: 12 }), tasks => {
      const one = clustered(tasks);
      const other = clustered(
        tasks.map(({ successes, trials }) => ({ successes: trials - successes, trials })).reverse(),
      );
      expect(other.low).toBeCloseTo(1 - one.high, 9);
      expect(other.high).toBeCloseTo(1 - one.low, 9);
    }),
  );
});

test('clustering never narrows an interval, and a single task is not clustered', () => {
  fc.assert(
    fc.property(fc.array(tally, { minLength: 1, maxLength: 12 }), tasks => {
      const { successes, trials, low, high } = clustered(tasks);
      const plain = wilson({ successes, trials });
      if (trials > 0) expect(high - low).toBeGreaterThanOrEqual(plain.high - plain.low - 1e-9);
    }),
  );
  expect(clustered([{ successes: 3, trials: 20 }])).toEqual(wilson({ successes: 3, trials: 20 }));
});

test('with different tasks, the clustered interval has its nominal coverage, and the plain one does not', () => {
  const random = seeded('coverage');
  const [tasks, instances, truth, repeats] = [20, 20, 0.6, 1500];
  const covered = { clustered: 0, plain: 0 };
  for (let repeat = 0; repeat < repeats; repeat++) {
    const tallies = Array.from({ length: tasks }, () => {
      // Some tasks are mostly solved, some hardly ever; the mean is the truth.
      const chance = random.next() < 0.5 ? 0.9 : 0.3;
      const successes = Array.from({ length: instances }, () => random.next() < chance).filter(
        Boolean,
      ).length;
      return { successes, trials: instances };
    });
    const holds = ({ low, high }: { readonly low: number; readonly high: number }) =>
      low <= truth && truth <= high;
    const all = {
      successes: tallies.reduce((sum, each) => sum + each.successes, 0),
      trials: tasks * instances,
    };
    covered.clustered += Number(holds(clustered(tallies)));
    covered.plain += Number(holds(wilson(all)));
  }
  expect(covered.clustered / repeats).toBeGreaterThan(0.93);
  expect(covered.clustered / repeats).toBeLessThan(0.98);
  expect(covered.plain / repeats).toBeLessThan(0.7);
});

test('invalid tallies are rejected', () => {
  expect(() => wilson({ successes: 3, trials: 2 })).toThrow('3 successes in 2 trials');
  expect(() => clustered([{ successes: 0.5, trials: 2 }])).toThrow('0.5 successes in 2 trials');
});
