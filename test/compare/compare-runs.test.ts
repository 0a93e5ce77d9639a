// Laws of comparisons: the differences of runs and of arms.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsOf } from '../../runtime/compare/findings.ts';
import { fisherExact } from '../../runtime/compare/statistics/fisher.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { sum } from '../../runtime/core/sum.ts';
import { expectNamed } from '../named-values.ts';
import { compared, episodesOf, graded, recordedEvaluation, recordedRun } from './recorded-runs.ts';

const evaluated = (solves: (task: number, instance: number) => boolean, tasks = 6, instances = 5) => ({
  evaluation: { version: 1, seconds: 1, broken: 0, episodes: episodesOf(tasks, instances, solves) },
});

describe('two single runs', () => {
  const solves = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
  const with30 = (all: readonly boolean[]) =>
    evaluated((task, instance) => all[task * 5 + instance] === true);

  test('each task has the test of its tallies, and the rates are those of the episodes', () => {
    fc.assert(
      fc.property(solves, solves, (one, two) => {
        const [found] = compared(recordedRun('a', with30(one)), graded('b', with30(two))).differences;
        expect(found?.taskTest).toBe('fisher');
        for (const { task, sides, difference, p, adjusted } of found?.tasks ?? []) {
          const from = 5 * Number(task.slice('task-'.length));
          const count = (all: readonly boolean[]) => all.slice(from, from + 5).filter(Boolean).length;
          expect(sides.map(({ successes, trials }) => [successes, trials])).toEqual([
            [count(one), 5],
            [count(two), 5],
          ]);
          expect(p).toBeCloseTo(fisherExact(...sides), 12);
          expect(adjusted).toBeGreaterThanOrEqual(p);
          expect(difference.low <= difference.value && difference.value <= difference.high).toBe(true);
        }
        const values = found?.tasks.map(({ difference }) => difference.value) ?? [];
        expect(values).toEqual(values.toSorted((a, b) => b - a));
      }),
      { numRuns: 40 },
    );
  });

  test('changing the runs changes the sign of everything', () => {
    fc.assert(
      fc.property(solves, solves, (one, two) => {
        const [a, b] = [recordedRun('a', with30(one)), graded('b', with30(two))];
        const [given] = compared(a, b).differences;
        const [swapped] = compared(b, a).differences;
        expect(swapped?.difference.value).toBeCloseTo(-(given?.difference.value ?? 9), 12);
        expect(swapped?.difference.low).toBeCloseTo(-(given?.difference.high ?? 9), 12);
        expect(swapped?.tests).toEqual(given?.tests);
        expect(swapped?.tasks.map(({ task, p }) => [task, p.toFixed(9)]).sort()).toEqual(
          given?.tasks.map(({ task, p }) => [task, p.toFixed(9)]).sort(),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('only instances that both played count, the others are reported', () => {
    const short = graded(
      'b',
      evaluated((task, instance) => instance >= task, 4, 3),
    );
    const [found] = compared(recordedRun('a'), short).differences;
    expect(found).toMatchObject({ instances: 12, leftOut: 18, difference: { value: 0 } });
    expect(found?.tasks).toHaveLength(4);
  });

  test('a clear difference is significant, and names no number of instances', () => {
    const [good, bad] = [true, false].map(solved => evaluated(() => solved, 10, 20));
    const result = compared(recordedRun('a', good), graded('b', bad));
    const [found] = result.differences;
    expect(found?.tests[0]).toMatchObject({ over: 'tasks', isExact: true, p: 2 ** -9 });
    expect(found?.tasks.every(({ adjusted }) => adjusted < 1e-6)).toBe(true);
    expect(found?.needed).toBeUndefined();
    const [overall, tasks] = findingsOf(result);
    expectNamed(overall?.title, 'A', '100.0 points more', 'B');
    expectNamed(tasks?.title, '10 of 10');
  });

  test('where nothing is significant, the findings say so and how much would be needed', () => {
    const one = evaluated((task, instance) => instance < 12 + (task % 3), 8, 20);
    const two = evaluated((task, instance) => instance < 12 - (task % 2), 8, 20);
    const result = compared(recordedRun('a', one), graded('b', two));
    const [found] = result.differences;
    expect(found?.tasks.some(({ adjusted }) => adjusted < 0.05)).toBe(false);
    expect(found?.neededForTask?.trials).toBeGreaterThan(20);
    const [, tasks] = findingsOf(result);
    expectNamed(tasks?.title, 'No task differs significantly');
    expectNamed(tasks?.details.join(' '), found?.neededForTask?.task ?? '?', 'instead of 20');
  });

  test('two runs of one arm are compared with each other', () => {
    const { differences, runs } = compared(recordedRun('a'), recordedRun('b'));
    expect(differences.map(({ arms }) => arms)).toEqual([['A1', 'A2']]);
    expect(runs.map(({ arm }) => arm)).toEqual(['A1', 'A2']);
  });
});

describe('arms with several runs', () => {
  const runs = (make: typeof recordedRun, prefix: string, rates: readonly number[]) =>
    rates.map((rate, index) =>
      make(
        `${prefix}${index}`,
        evaluated((_, instance) => instance < rate * 10, 6, 10),
      ),
    );

  test('the runs are the observations: their permutation decides', () => {
    const result = compared(
      ...runs(recordedRun, 'a', [0.8, 0.9, 0.8, 0.7]),
      ...runs(graded, 'b', [0.2, 0.3, 0.1, 0.4]),
    );
    const [found] = result.differences;
    expect(found?.difference.value).toBeCloseTo(0.55, 9);
    // 2 of 70 arrangements.
    expect(found?.tests[0]).toMatchObject({ over: 'runs', p: 2 / 70, smallest: 2 / 70, isExact: true });
    expect(found?.taskTest).toBe('permutation');
    // Welch by hand: variances 1/150 and 1/60, error 0.0764, 5 degrees of freedom, t = 2.571.
    expect(found?.difference.low).toBeCloseTo(0.55 - 2.571 * 0.0764, 2);
  });

  /** Three runs per arm; in each, this many of the 20 instances are solved. */
  const compareSolved = (one: readonly number[], two: readonly number[]) => {
    const each = (make: typeof recordedRun, prefix: string, solved: readonly number[]) =>
      solved.map((count, index) =>
        make(
          `${prefix}${index}`,
          evaluated((_, instance) => instance < count, 1, 20),
        ),
      );
    return compared(...each(recordedRun, 'a', one), ...each(graded, 'b', two)).differences[0];
  };

  test.each([
    [
      [20, 20, 20],
      [19, 19, 19],
    ],
    [
      [13, 13, 13],
      [13, 13, 13],
    ],
    [
      [14, 14, 14],
      [10, 11, 12],
    ],
  ])('equal rates of the runs of an arm have an interval: %j against %j', (one, two) => {
    const found = compareSolved(one, two);
    const { value, low, high } = found?.difference ?? { value: 0, low: 0, high: 0 };
    expect(value).toBeCloseTo((sum(one) - sum(two)) / 60, 9);
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    for (const side of found?.sides ?? []) expect(side.high - side.low).toBeGreaterThan(0.05);
    const swapped = compareSolved(two, one);
    expect(swapped?.difference.low).toBeCloseTo(-high, 9);
  });

  test('the same rates in another order are the same share, and no number of runs shows a difference', () => {
    const result = compared(
      ...runs(recordedRun, 'a', [0.1, 0.2, 0.3]),
      ...runs(graded, 'b', [0.3, 0.2, 0.1]),
    );
    expect(result.differences[0]?.needed).toBeUndefined();
    expectNamed(findingsOf(result)[0]?.title, 'solve the same share');
  });

  test('no arm that solves all or nothing is certain', () => {
    const [all, none] = [
      [20, 20, 20],
      [0, 0, 0],
    ] as const;
    expect(compareSolved(all, none)?.difference).toMatchObject({ value: 1, high: 1 });
    expect(compareSolved(all, none)?.difference.low).toBeLessThan(0.9);
    for (const same of [all, none]) {
      const { low, high } = compareSolved(same, same)?.difference ?? { low: 0, high: 0 };
      expect(low).toBeLessThan(-0.05);
      expect(high).toBeGreaterThan(0.05);
    }
  });

  test('too few runs allow no significance, which the findings say', () => {
    const result = compared(...runs(recordedRun, 'a', [0.9, 0.8]), ...runs(graded, 'b', [0.1, 0.2]));
    const [found] = result.differences;
    expect(found?.tests[0]?.smallest).toBeCloseTo(1 / 3, 9);
    expect(found?.needed).toEqual({ of: 'runs', count: 4 });
    const [overall] = findingsOf(result);
    expectNamed(overall?.title, 'which is not significant');
    expectNamed(overall?.details.join(' '), 'allow no p below 0.33', 'about 4 runs of each arm');
  });

  test('of three arms the first is compared with each other one, and the p-values are corrected', () => {
    const config = defaults({});
    const third = { ...config, seed: 'x', mode: 'screenshot' } as const;
    const { differences } = compared(
      recordedRun(
        'a',
        evaluated((task, instance) => instance < task),
      ),
      graded(
        'b',
        evaluated(() => true),
      ),
      recordedRun('c', { config: third, ...evaluated(() => true) }),
    );
    expect(differences.map(({ arms }) => arms)).toEqual([
      ['A', 'B'],
      ['A', 'C'],
    ]);
    for (const { tests } of differences) expect(tests[0]?.adjusted).toBeCloseTo(2 * (tests[0]?.p ?? 9), 12);
  });
});

test('an evaluation of an agent is compared with a run per task', () => {
  const { differences, runs, curves } = compared(
    recordedRun('a'),
    recordedEvaluation('evaluate-1', () => true),
  );
  expect(differences[0]).toMatchObject({ arms: ['A', 'B'], instances: 30 });
  expect(runs[1]).toMatchObject({ kind: 'evaluation', agent: 'tars', cost: { money: 0.5 } });
  expect(curves[0]?.arms).toHaveLength(1);
});

test('arms without common instances, or without episodes, are reported as missing', () => {
  const { evaluation: _, ...bare } = graded('b');
  const other = graded('b', {
    evaluation: {
      version: 1,
      seconds: 1,
      broken: 0,
      episodes: [{ task: 'x', seed: 1, success: true, steps: 1 }],
    },
  });
  for (const side of [bare, other]) {
    const { differences, missing } = compared(recordedRun('a'), side);
    expect(differences).toEqual([]);
    expectNamed(missing[0]?.message, 'A and B', 'Evaluate both');
  }
});
