import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Course } from '../../../runtime/bench/curation/course.ts';
import {
  endOf,
  lead,
  normalTail,
  type Pair,
  rateAt,
  ratioInterval,
  rising,
  stepsRatio,
  stepsTo,
} from '../../../runtime/bench/curation/reaching.ts';
import { seeded } from '../../../runtime/core/rng.ts';

/** Measurements of 100 trials each. */
const course = (...points: readonly (readonly [steps: number, percent: number])[]): Course =>
  points.map(([steps, successes]) => ({ steps, successes, trials: 100 }));

const courses = fc.array(
  fc.array(
    fc
      .record({ steps: fc.nat(1000), successes: fc.nat(40), failures: fc.nat(40) })
      .map(({ steps, successes, failures }) => ({ steps, successes, trials: successes + failures })),
    { minLength: 1, maxLength: 8 },
  ),
  { minLength: 1, maxLength: 4 },
);

describe('the rising curve', () => {
  test('rises at every corner, keeps every success, and does not change what rises already', () => {
    fc.assert(
      fc.property(courses, all => {
        const blocks = rising(all);
        for (const [index, block] of blocks.entries()) {
          const before = blocks[index - 1];
          if (before === undefined) continue;
          expect(block.steps).toBeGreaterThan(before.steps);
          expect(block.rate).toBeGreaterThan(before.rate);
        }
        const successes = all.flat().reduce((sum, each) => sum + each.successes, 0);
        expect(blocks.reduce((sum, { rate, trials }) => sum + rate * trials, 0)).toBeCloseTo(successes, 6);
      }),
    );
    const risen = course([0, 10], [100, 20], [200, 40]);
    expect(rising([risen]).map(({ steps, rate }) => [steps, 100 * rate])).toEqual([
      [0, 10],
      [100, 20],
      [200, 40],
    ]);
  });

  test('does not take one high measurement for what was reached', () => {
    const lucky = course([0, 10], [100, 60], [200, 20], [300, 22], [400, 62]);
    expect(stepsTo(0.5, [lucky])).toBeGreaterThan(300);
  });
});

describe('the steps to a success rate', () => {
  test('lie on the line between the corners around it', () => {
    expect(stepsTo(0.3, [course([0, 10], [100, 20], [200, 40])])).toBeCloseTo(150, 6);
  });

  test('are infinite where it is never reached, and those of the first corner where it was from the start', () => {
    expect(stepsTo(0.5, [course([0, 10], [100, 20])])).toBe(Number.POSITIVE_INFINITY);
    expect(stepsTo(0.1, [course([0, 10], [100, 20])])).toBe(0);
  });

  test('never get fewer for more success', () => {
    const rates = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(courses, rates, (all, [a, b]) => {
        expect(stepsTo(Math.min(a, b), all)).toBeLessThanOrEqual(stepsTo(Math.max(a, b), all));
      }),
    );
  });
});

describe('the success after so many steps', () => {
  test('is that after which so many steps are taken, and stays as it was beyond the ends', () => {
    const risen = course([0, 10], [100, 20], [200, 40]);
    expect(rateAt(150, [risen])).toBeCloseTo(0.3, 6);
    expect(rateAt(-1, [risen])).toBe(0.1);
    expect(rateAt(201, [risen])).toBe(0.4);
    expect(rateAt(1, [])).toBeNaN();
    fc.assert(
      fc.property(courses, fc.nat(1000), (all, steps) => {
        const there = rateAt(steps, all);
        if (Number.isFinite(there)) expect(there).toBeLessThanOrEqual(rateAt(steps + 1, all) + 1e-12);
        for (const block of rising(all)) expect(rateAt(block.steps, all)).toBeCloseTo(block.rate, 9);
      }),
    );
  });

  test('is compared where both have been, however far one of them went on', () => {
    const one = course([0, 10], [100, 30], [200, 50]);
    const other = course([0, 10], [100, 20]);
    expect(lead({ one, other })).toBeCloseTo(0.1, 6);
    expect(lead({ one: other, other: one })).toBeCloseTo(-0.1, 6);
    expect(lead({ one: [...one, ...course([300, 90])], other })).toBeCloseTo(0.1, 6);
  });
});

test('the end is that of all seeds together', () => {
  expect(endOf([course([0, 10], [100, 30]), course([0, 10], [300, 50])])).toEqual({ rate: 0.4, steps: 200 });
});

describe('the ratio', () => {
  const slow = course([0, 10], [500, 20], [1000, 40]);
  const quick = course([0, 10], [250, 25], [500, 40], [1000, 60]);

  test('of a training to itself is 1, and of one that is twice as quick one half', () => {
    expect(stepsRatio([{ one: slow, other: slow }])).toBeCloseTo(1, 6);
    expect(stepsRatio([{ one: quick, other: slow }])).toBeCloseTo(0.5, 6);
    expect(stepsRatio([{ one: slow, other: quick }])).toBe(Number.POSITIVE_INFINITY);
  });

  test('of several seeds to themselves is 1 too, though they are noisy, of unlike length, and stand still in the end', () => {
    const seeds = [
      course([0, 10], [200, 45], [400, 42], [600, 50]),
      course([0, 10], [300, 40], [600, 48], [1200, 47]),
      course([0, 10], [250, 38], [500, 52], [900, 49]),
    ];
    const alike = stepsRatio(seeds.map(one => ({ one, other: one })));
    expect(alike).toBeCloseTo(1, 6);
    // At the end it has been there for long.
    const goal = endOf(seeds);
    expect(stepsTo(goal.rate, seeds)).toBeLessThan(0.9 * goal.steps);
  });

  test('of seeds that are all alike is certain, of one seed nothing is known', () => {
    const pair: Pair = { one: quick, other: slow };
    expect(ratioInterval([pair], seeded(1))).toBeUndefined();
    const { low, high, never } = ratioInterval([pair, pair, pair], seeded(1), 200) ?? {};
    expect(low).toBeCloseTo(0.5, 6);
    expect(high).toBeCloseTo(0.5, 6);
    expect(never).toBe(0);
  });

  test('lies within its interval, which has no end where the one too often never gets there', () => {
    const pairs: readonly Pair[] = [
      { one: quick, other: slow },
      { one: slow, other: slow },
      { one: quick, other: slow },
      { one: course([0, 10], [1000, 20]), other: slow },
    ];
    const { low = NaN, high = NaN, never = NaN } = ratioInterval(pairs, seeded(1), 2000) ?? {};
    expect(low).toBeLessThanOrEqual(stepsRatio(pairs));
    expect(high).toBe(Number.POSITIVE_INFINITY);
    expect(never).toBeGreaterThan(0);
    expect(never).toBeLessThan(1);
  });
});

test('the tail of the normal distribution is what tables say', () => {
  expect(normalTail(0)).toBeCloseTo(0.5, 6);
  expect(normalTail(1.959964)).toBeCloseTo(0.025, 6);
  expect(normalTail(3)).toBeCloseTo(0.0013499, 6);
});
