import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Course,
  courseOf,
  endOf,
  isotonic,
  lead,
  normalTail,
  type Pair,
  rateAt,
  ratioInterval,
  stepsRatio,
  stepsTo,
} from '../../../runtime/bench/curation/steps-to-success.ts';
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

describe('the isotonic curve', () => {
  test('rises at every corner, preserves all successes, and leaves rising data unchanged', () => {
    fc.assert(
      fc.property(courses, all => {
        const blocks = isotonic(all);
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
    expect(isotonic([risen]).map(({ steps, rate }) => [steps, 100 * rate])).toEqual([
      [0, 10],
      [100, 20],
      [200, 40],
    ]);
  });

  test('is not raised by one lucky evaluation', () => {
    const lucky = course([0, 10], [100, 60], [200, 20], [300, 22], [400, 62]);
    expect(stepsTo(0.5, [lucky])).toBeGreaterThan(300);
  });
});

describe('the steps to a success rate', () => {
  test('are interpolated between corners', () => {
    expect(stepsTo(0.3, [course([0, 10], [100, 20], [200, 40])])).toBeCloseTo(150, 6);
  });

  test('are infinite if it is never reached, and 0 if it holds from the start', () => {
    expect(stepsTo(0.5, [course([0, 10], [100, 20])])).toBe(Number.POSITIVE_INFINITY);
    expect(stepsTo(0.1, [course([0, 10], [100, 20])])).toBe(0);
  });

  test('do not decrease with the success rate', () => {
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
  test('inverts the steps, and is constant beyond the ends', () => {
    const risen = course([0, 10], [100, 20], [200, 40]);
    expect(rateAt(150, [risen])).toBeCloseTo(0.3, 6);
    expect(rateAt(-1, [risen])).toBe(0.1);
    expect(rateAt(201, [risen])).toBe(0.4);
    expect(rateAt(1, [])).toBeNaN();
    fc.assert(
      fc.property(courses, fc.nat(1000), (all, steps) => {
        const there = rateAt(steps, all);
        if (Number.isFinite(there)) expect(there).toBeLessThanOrEqual(rateAt(steps + 1, all) + 1e-12);
        for (const block of isotonic(all)) expect(rateAt(block.steps, all)).toBeCloseTo(block.rate, 9);
      }),
    );
  });

  test('is compared at the last steps that both have reached', () => {
    const one = course([0, 10], [100, 30], [200, 50]);
    const other = course([0, 10], [100, 20]);
    expect(lead({ one, other })).toBeCloseTo(0.1, 6);
    expect(lead({ one: other, other: one })).toBeCloseTo(-0.1, 6);
    expect(lead({ one: [...one, ...course([300, 90])], other })).toBeCloseTo(0.1, 6);
  });
});

test('the end pools the last evaluations of all seeds', () => {
  expect(endOf([course([0, 10], [100, 30]), course([0, 10], [300, 50])])).toEqual({ rate: 0.4, steps: 200 });
});

describe('the ratio', () => {
  const slow = course([0, 10], [500, 20], [1000, 40]);
  const quick = course([0, 10], [250, 25], [500, 40], [1000, 60]);

  test('is 1 against itself and one half for a training that is twice as fast', () => {
    expect(stepsRatio([{ one: slow, other: slow }])).toBeCloseTo(1, 6);
    expect(stepsRatio([{ one: quick, other: slow }])).toBeCloseTo(0.5, 6);
    expect(stepsRatio([{ one: slow, other: quick }])).toBe(Number.POSITIVE_INFINITY);
  });

  test('is 1 for noisy seeds of different lengths against themselves', () => {
    const seeds = [
      course([0, 10], [200, 45], [400, 42], [600, 50]),
      course([0, 10], [300, 40], [600, 48], [1200, 47]),
      course([0, 10], [250, 38], [500, 52], [900, 49]),
    ];
    const alike = stepsRatio(seeds.map(one => ({ one, other: one })));
    expect(alike).toBeCloseTo(1, 6);
    // It reaches its final rate before its end.
    const goal = endOf(seeds);
    expect(stepsTo(goal.rate, seeds)).toBeLessThan(0.9 * goal.steps);
  });

  test('has a zero interval for equal seeds and none for one seed', () => {
    const pair: Pair = { one: quick, other: slow };
    expect(ratioInterval([pair], seeded(1))).toBeUndefined();
    const { low, high, never } = ratioInterval([pair, pair, pair], seeded(1), 200) ?? {};
    expect(low).toBeCloseTo(0.5, 6);
    expect(high).toBeCloseTo(0.5, 6);
    expect(never).toBe(0);
  });

  test('lies in its interval, which is infinite if too many resamples never reach the goal', () => {
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

test('the tail of the normal distribution matches tables', () => {
  expect(normalTail(0)).toBeCloseTo(0.5, 6);
  expect(normalTail(1.959964)).toBeCloseTo(0.025, 6);
  expect(normalTail(3)).toBeCloseTo(0.0013499, 6);
});

test('a course has the evaluations on test worlds only', () => {
  const point = (split: 'train' | 'test', steps: number, successes: number) => ({
    ...{ split, steps, successes, seconds: steps / 10, trials: 10, rate: successes / 10 },
    ...{ low: 0, high: 1, version: 3 },
  });
  expect(courseOf([point('test', 0, 1), point('train', 0, 9), point('test', 250, 5)])).toEqual([
    { steps: 0, successes: 1, trials: 10 },
    { steps: 250, successes: 5, trials: 10 },
  ]);
});
