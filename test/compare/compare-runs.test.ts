// Laws of comparisons: arms, curves and differences.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { armsOf } from '../../runtime/compare/arms.ts';
import { compareRuns } from '../../runtime/compare/compare-runs.ts';
import type { CurvePosition } from '../../runtime/compare/comparison.ts';
import { gradientShare } from '../../runtime/compare/curation-figures.ts';
import { meanCurve, meanOf } from '../../runtime/compare/curves.ts';
import { findingsOf } from '../../runtime/compare/findings.ts';
import type { RecordedSide } from '../../runtime/compare/record.ts';
import { fisherExact } from '../../runtime/compare/statistics/fisher.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { sum } from '../../runtime/core/sum.ts';
import { expectNamed } from '../named-values.ts';
import { episodesOf, graded, pointOf, recordedEvaluation, recordedRun } from './recorded-runs.ts';

const CONTEXT = { now: 0, dartboard: '1.2.3' };
const compared = (...sides: readonly RecordedSide[]) => compareRuns(sides, CONTEXT);

const evaluated = (solves: (task: number, instance: number) => boolean, tasks = 6, instances = 5) => ({
  evaluation: { version: 1, seconds: 1, broken: 0, episodes: episodesOf(tasks, instances, solves) },
});

describe('arms', () => {
  test('runs that differ by their seeds alone form one arm', () => {
    const arms = armsOf([recordedRun('a'), graded('b'), recordedRun('c'), graded('d')]);
    expect(arms.map(({ letter, name, sides }) => [letter, name, sides.map(side => side.name)])).toEqual([
      ['A', 'curation dart', ['a', 'c']],
      ['B', 'curation grpo', ['b', 'd']],
    ]);
  });

  test('a run from a checkpoint is no seed of a run from random weights', () => {
    const names = armsOf([recordedRun('a'), recordedRun('b', { from: 'x' })]).map(({ name }) => name);
    expect(names).toEqual(['from scratch', 'from x']);
  });

  test('runs from one checkpoint form an arm, which has its name', () => {
    const from = (run: string, version = 900) =>
      `.dartboard/runs/${run}/checkpoints/checkpoint-${version}.safetensors`;
    const [one, two, three] = [from('one'), from('two'), from('two', 1800)];
    const arms = armsOf([
      recordedRun('a', { from: one }),
      recordedRun('b', { from: two }),
      recordedRun('c', { from: one }),
      recordedRun('d', { from: two }),
      recordedRun('e', { from: three }),
    ]);
    expect(arms.map(({ name, sides }) => [name, sides.map(side => side.name)])).toEqual([
      ['from one 900', ['a', 'c']],
      ['from two 900', ['b', 'd']],
      ['from two 1800', ['e']],
    ]);
  });

  test('a run without a readable configuration forms an arm of its own', () => {
    const { config: _, ...damaged } = recordedRun('b');
    const { arms } = compared(recordedRun('a'), damaged, recordedRun('c'));
    expect(arms.map(({ members }) => members)).toEqual([['a', 'c'], ['b']]);
  });

  test('the settings that differ are listed, the seed is not', () => {
    const config = defaults({});
    const other = {
      ...config,
      seed: 'b',
      trainer: { ...config.trainer, learningRate: 0.123 },
    };
    const { settings, arms } = compared(recordedRun('a'), recordedRun('b', { config: other }));
    expect(settings).toEqual([
      { path: 'trainer.learningRate', values: [String(config.trainer.learningRate), '0.123'] },
    ]);
    expect(arms[1]?.name).toBe('learningRate 0.123');
  });

  test('agents that do not play form no arms, and are not listed', () => {
    const agents = { mine: { profile: 'generic', model: 'm', url: 'http://secret.example/v1' } } as const;
    const { arms, settings } = compared(
      recordedRun('a'),
      recordedRun('b', { config: { ...defaults({}), seed: 'b', agents } }),
    );
    expect(arms).toHaveLength(1);
    expect(settings).toEqual([]);
    const playing = { ...defaults({}), agents, agent: 'mine' };
    const other = { ...playing, agents: { mine: { ...agents.mine, model: 'n' } } };
    const played = compared(recordedRun('a', { config: playing }), recordedRun('b', { config: other }));
    expect(played.settings.map(({ path }) => path)).toEqual(['agents.mine.model']);
  });

  test('all names of arms are different', () => {
    const { arms } = compared(
      recordedRun('a'),
      graded('b'),
      recordedEvaluation('evaluate-1', () => true),
      recordedEvaluation('evaluate-2', () => false),
    );
    expect(new Set(arms.map(({ name }) => name)).size).toBe(4);
  });
});

describe('curves', () => {
  const curve = fc
    .uniqueArray(fc.nat(50), { minLength: 1, maxLength: 8 })
    .chain(xs =>
      fc.tuple(
        fc.constant(xs.sort((a, b) => a - b)),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: xs.length, maxLength: xs.length }),
      ),
    )
    .map(([xs, rates]): readonly CurvePosition[] => xs.map((x, index) => ({ x, rate: rates[index] ?? 0 })));

  test('the mean lies between the curves, in the range that all cover, and does not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(curve, { minLength: 2, maxLength: 4 }), curves => {
        const mean = meanCurve(curves);
        const from = Math.max(...curves.map(points => points[0]?.x ?? 0));
        const to = Math.min(...curves.map(points => points.at(-1)?.x ?? 0));
        const rates = curves.flat().map(({ rate }) => rate);
        for (const { x, rate, low = 0, high = 1 } of mean) {
          expect(x >= from && x <= to).toBe(true);
          expect(rate).toBeGreaterThanOrEqual(Math.min(...rates) - 1e-9);
          expect(rate).toBeLessThanOrEqual(Math.max(...rates) + 1e-9);
          expect(low <= rate + 1e-9 && rate <= high + 1e-9).toBe(true);
        }
        const reversed = meanCurve(curves.toReversed());
        expect(reversed.map(({ x }) => x)).toEqual(mean.map(({ x }) => x));
        for (const [index, { rate }] of mean.entries()) expect(reversed[index]?.rate).toBeCloseTo(rate, 9);
      }),
    );
  });

  test('between two evaluations the rate is interpolated', () => {
    const one = [
      { x: 0, rate: 0 },
      { x: 10, rate: 1 },
    ];
    const two = [
      { x: 0, rate: 0.5 },
      { x: 5, rate: 0.5 },
      { x: 10, rate: 0.5 },
    ];
    expect(meanCurve([one, two]).map(({ x, rate }) => [x, rate])).toEqual([
      [0, 0.25],
      [5, 0.5],
      [10, 0.75],
    ]);
  });

  test("the interval over seeds is Student's", () => {
    // Mean 0.5, standard deviation 0.1: 0.5 ± 4.302653 · 0.1 / √3.
    const { low, high } = meanOf([0.4, 0.5, 0.6]);
    expect(low).toBeCloseTo(0.2516, 4);
    expect(high).toBeCloseTo(0.7484, 4);
  });

  test('a cost that is not recorded gives no curve, and the runs without it are named', () => {
    const paid = recordedRun('a', {
      curve: [0, 10, 20].map(x => ({ ...pointOf(x, x / 40), cost: { tokens: 1000 * x } })),
    });
    const { curves } = compared(paid, graded('b'));
    expect(curves.map(({ over, arms, without }) => [over, arms.map(({ arm }) => arm), without])).toEqual([
      ['steps', ['A', 'B'], []],
      ['seconds', ['A', 'B'], []],
      ['tokens', ['A'], ['b']],
    ]);
    expect(curves[2]?.arms[0]?.mean.map(({ x }) => x)).toEqual([0, 10_000, 20_000]);
  });

  test('the share of groups with a gradient is that of the last tenth', () => {
    const samples = Array.from({ length: 101 }, (_, seconds) => ({
      ...{ seconds, trainable: seconds < 50 ? 0 : seconds - 50, filtered: Math.min(seconds, 50) },
    }));
    const shares = gradientShare(samples);
    expect(shares.find(({ x }) => x === 40)?.rate).toBe(0);
    expect(shares.find(({ x }) => x === 55)?.rate).toBeCloseTo(0.5, 9);
    expect(shares.at(-1)?.rate).toBe(1);
  });
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
