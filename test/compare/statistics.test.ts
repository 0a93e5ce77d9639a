// The tests of a comparison against brute force and published values.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fisherExact } from '../../runtime/compare/statistics/fisher.ts';
import { holm } from '../../runtime/compare/statistics/holm.ts';
import { labelPermutationTest, signFlipTest } from '../../runtime/compare/statistics/permutation.ts';
import { neededGrowth, neededTrials, normalQuantile } from '../../runtime/compare/statistics/sample-size.ts';
import { rateDifference, type SuccessTally, wilson } from '../../runtime/data/interval.ts';

const tally = (maxTrials: number) =>
  fc
    .tuple(fc.nat(maxTrials), fc.nat(maxTrials))
    .map(([a, b]): SuccessTally => ({ successes: Math.min(a, b), trials: Math.max(a, b) }));
const tried = (maxTrials: number) => tally(maxTrials).filter(({ trials }) => trials > 0);
const of = (successes: number, trials: number): SuccessTally => ({ successes, trials });

/** All subsets of this size of the indices below n. */
function subsets(n: number, size: number, from = 0): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, n - from) }, (_, index) => from + index).flatMap(first =>
    subsets(n, size - 1, first + 1).map(rest => [first, ...rest]),
  );
}

describe("Fisher's exact test", () => {
  test.each([
    // Sums of exact fractions.
    [of(3, 4), of(1, 4), 0.485714],
    [of(8, 10), of(1, 10), 0.005477],
    [of(10, 15), of(2, 15), 0.007775],
    [of(180, 200), of(160, 200), 0.007419],
    [of(4, 4), of(0, 4), 0.028571],
  ])('%j against %j', (one, two, p) => {
    expect(fisherExact(one, two)).toBeCloseTo(p, 5);
  });

  test('it counts the assignments of successes that are at most as likely', () => {
    fc.assert(
      fc.property(tally(6), tally(6), (one, two) => {
        const n = one.trials + two.trials;
        const successes = one.successes + two.successes;
        // Which trials succeed; the first trials are those of one side.
        const counts = new Map<number, number>();
        const all = subsets(n, successes);
        for (const chosen of all) {
          const first = chosen.filter(index => index < one.trials).length;
          counts.set(first, (counts.get(first) ?? 0) + 1);
        }
        const observed = counts.get(one.successes) ?? 0;
        const extreme = [...counts.values()].filter(count => count <= observed);
        expect(fisherExact(one, two)).toBeCloseTo(
          extreme.reduce((sum, each) => sum + each, 0) / all.length,
          9,
        );
      }),
    );
  });

  test('it is symmetric, also in successes and failures, and from 0 to 1', () => {
    const failed = ({ successes, trials }: SuccessTally) => of(trials - successes, trials);
    fc.assert(
      fc.property(tally(40), tally(40), (one, two) => {
        const p = fisherExact(one, two);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(fisherExact(two, one)).toBeCloseTo(p, 9);
        expect(fisherExact(failed(one), failed(two))).toBeCloseTo(p, 9);
      }),
    );
  });
});

describe('the paired permutation over tasks', () => {
  test('it counts the changes of sides with a sum that is at least as large', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(tried(5), tried(5)), { minLength: 1, maxLength: 9 }), pairs => {
        const differences = pairs.map(
          ([one, two]) => one.successes / one.trials - two.successes / two.trials,
        );
        const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
        let extreme = 0;
        const all = 2 ** pairs.length;
        for (let signs = 0; signs < all; signs++) {
          const sum = differences.reduce(
            (total, each, bit) => total + (signs & (1 << bit) ? -each : each),
            0,
          );
          if (Math.abs(sum) >= observed - 1e-9) extreme += 1;
        }
        const result = signFlipTest(pairs);
        expect(result?.isExact).toBe(true);
        expect(result?.p).toBeCloseTo(extreme / all, 9);
        expect(result?.smallest).toBeLessThanOrEqual((result?.p ?? 0) + 1e-12);
      }),
    );
  });

  test('random arrangements of many unequal tasks agree with exact ones', () => {
    // The trials are different primes, so there is no common denominator of a practical size.
    const primes = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];
    const pairs = primes.map(
      (trials, index) => [of(index % 5, trials), of((index * 3) % 7, trials)] as const,
    );
    const random = signFlipTest(pairs);
    expect(random?.isExact).toBe(false);
    const differences = pairs.map(([one, two]) => one.successes / one.trials - two.successes / two.trials);
    const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
    let extreme = 0;
    for (let signs = 0; signs < 2 ** pairs.length; signs++)
      if (
        Math.abs(differences.reduce((sum, each, bit) => sum + (signs & (1 << bit) ? -each : each), 0)) >=
        observed - 1e-9
      )
        extreme += 1;
    // Three standard errors of 20,000 draws.
    expect(Math.abs((random?.p ?? 0) - extreme / 2 ** pairs.length)).toBeLessThan(0.011);
  });

  test('many tasks with many numbers of trials have the p of the same rates of single trials', () => {
    // One side solves all trials of a task, the other none.
    const pairsOf = (trialsOf: (task: number) => readonly [number, number]) =>
      Array.from({ length: 200 }, (_, task) => {
        const [one, two] = trialsOf(task);
        return task < 109 ? ([of(one, one), of(0, two)] as const) : ([of(0, one), of(two, two)] as const);
      });
    const random = signFlipTest(pairsOf(task => [91 + (task % 10), 91 + (Math.floor(task / 10) % 10)]));
    const exact = signFlipTest(pairsOf(() => [1, 1]));
    expect([random?.isExact, exact?.isExact]).toEqual([false, true]);
    expect(exact?.p).toBeCloseTo(0.229247, 5);
    // Three standard errors of 20,000 draws.
    expect(Math.abs((random?.p ?? 0) - (exact?.p ?? 0))).toBeLessThan(0.011);
  });

  test('without a task there is no test', () => {
    expect(signFlipTest([])).toBeUndefined();
    expect(signFlipTest([[of(0, 0), of(1, 1)]])).toBeUndefined();
  });
});

describe('the permutation of runs', () => {
  const rates = fc.array(
    fc.nat(10).map(each => each / 10),
    { minLength: 1, maxLength: 5 },
  );

  test('it counts the arrangements with a difference that is at least as large', () => {
    fc.assert(
      fc.property(rates, rates, (one, two) => {
        const all = [...one, ...two];
        const mean = (values: readonly number[]) =>
          values.reduce((sum, each) => sum + each, 0) / values.length;
        const observed = Math.abs(mean(one) - mean(two));
        const arrangements = subsets(all.length, one.length);
        const extreme = arrangements.filter(chosen => {
          const first = chosen.map(index => all[index] ?? 0);
          const second = all.filter((_, index) => !chosen.includes(index));
          return Math.abs(mean(first) - mean(second)) >= observed - 1e-9;
        });
        const result = labelPermutationTest(one, two);
        expect(result?.p).toBeCloseTo(extreme.length / arrangements.length, 9);
        expect(result?.smallest).toBeLessThanOrEqual((result?.p ?? 0) + 1e-12);
      }),
    );
  });

  test('it reaches its smallest p where all values of one side are larger', () => {
    expect(labelPermutationTest([0.9, 0.8, 0.85], [0.1, 0.2, 0.15])).toMatchObject({ p: 0.1, smallest: 0.1 });
    expect(labelPermutationTest([0.9, 0.8], [0.1, 0.2, 0.15])).toMatchObject({ p: 0.1, smallest: 0.1 });
    expect(labelPermutationTest([], [1])).toBeUndefined();
  });

  test('with many runs it draws arrangements, the same ones each time', () => {
    const [one, two] = [0, 0.02].map(shift => Array.from({ length: 12 }, (_, index) => shift + index / 100));
    const result = labelPermutationTest(one ?? [], two ?? []);
    expect(result?.isExact).toBe(false);
    expect(result).toEqual(labelPermutationTest(one ?? [], two ?? []));
    // A t test of these values has p = 0.19.
    expect(result?.p).toBeGreaterThan(0.12);
    expect(result?.p).toBeLessThan(0.27);
  });
});

test("Holm's correction rejects exactly what the step-down procedure rejects", () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(p, { maxLength: 12 }),
      fc.double({ min: 0.001, max: 0.5, noNaN: true }),
      (values, level) => {
        const adjusted = holm(values);
        const sorted = values.toSorted((a, b) => a - b);
        const stop = sorted.findIndex((value, rank) => value * (values.length - rank) > level);
        const limit = stop < 0 ? Number.POSITIVE_INFINITY : (sorted[stop] ?? 0);
        for (const [index, value] of values.entries()) {
          expect((adjusted[index] ?? 1) <= level).toBe(value < limit);
          expect(adjusted[index]).toBeGreaterThanOrEqual(value);
        }
      },
    ),
  );
});

test("Newcombe's interval of unpaired rates, as in his paper", () => {
  // Example (a): 56/70 against 48/80, method 10.
  const { value, low, high } = rateDifference(wilson(of(56, 70)), wilson(of(48, 80)));
  expect(value).toBeCloseTo(0.2, 10);
  expect(low).toBeCloseTo(0.0524, 4);
  expect(high).toBeCloseTo(0.3339, 4);
});

describe('sizes', () => {
  test.each([
    [0.5, 0],
    [0.975, 1.959964],
    [0.8, 0.841621],
    [0.9995, 3.290527],
    [0.00001, -4.264891],
  ])('the normal quantile of %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 5);
  });

  test.each([
    [0.9, 0.5, 0.05],
    [0.6, 0.3, 0.05],
    [1, 0.2, 0.001],
    [0.95, 0.7, 0.01],
  ])(
    'with the needed trials, %d against %d is significant at %d with about 80 %% probability',
    (one, two, alpha) => {
      const n = neededTrials(one, two, alpha) ?? 0;
      const power = (trials: number): number => {
        let sum = 0;
        const chance = (rate: number) => binomial(trials, rate);
        const [first, second] = [chance(one), chance(two)];
        for (let a = 0; a <= trials; a++)
          for (let b = 0; b <= trials; b++) {
            const both = (first[a] ?? 0) * (second[b] ?? 0);
            if (both > 1e-12 && fisherExact(of(a, trials), of(b, trials)) < alpha) sum += both;
          }
        return sum;
      };
      expect(power(n)).toBeGreaterThan(0.75);
      expect(power(Math.floor(n * 0.8))).toBeLessThan(0.86);
    },
  );

  test('a difference of zero, or without an error, has no size', () => {
    expect(neededTrials(0.5, 0.5, 0.05)).toBeUndefined();
    expect(neededGrowth(0, 0.1)).toBeUndefined();
    expect(neededGrowth(0.1, 0)).toBeUndefined();
  });

  test('a difference of 2.8 standard errors needs no more data', () => {
    expect(neededGrowth(0.28, 0.1)).toBeCloseTo(1, 1);
    expect(neededGrowth(-0.14, 0.1)).toBeCloseTo(4, 1);
  });
});

function binomial(n: number, rate: number): readonly number[] {
  let chances = [1];
  for (let trial = 0; trial < n; trial++)
    chances = Array.from(
      { length: chances.length + 1 },
      (_, k) => (chances[k] ?? 0) * (1 - rate) + (chances[k - 1] ?? 0) * rate,
    );
  return chances;
}
