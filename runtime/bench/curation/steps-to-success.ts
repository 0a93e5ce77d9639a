// The environment steps after which one way of training reaches the final success of another, with an interval. Pure.
//
// A single evaluation is noisy, and the first that is high by chance would make any training look fast. So the evaluations of all seeds
// are pooled and smoothed by isotonic regression (the nearest curve that never falls, weighted by trials). The goal is the mean of
// the last evaluations of the other training. That training reaches it where its own curve does, or at its end.

import type { Random } from '../../core/rng.ts';
import { studentT } from '../../data/interval.ts';
import type { EvaluationPoint } from '../../protocol/daemon/state.ts';

export type Evaluation = Pick<EvaluationPoint, 'steps' | 'successes' | 'trials'>;

/** The evaluations of one training on test worlds, in order. `steps` are environment steps of its rollouts. */
export type Course = readonly Evaluation[];

export const courseOf = (curve: readonly EvaluationPoint[]): Course =>
  curve
    .filter(({ split }) => split === 'test')
    .map(({ steps, successes, trials }) => ({ steps, successes, trials }));

/** Two trainings with one seed, from the same weights. */
export interface Pair {
  readonly one: Course;
  readonly other: Course;
}

interface Block {
  readonly steps: number;
  readonly rate: number;
  readonly trials: number;
}

/** The isotonic regression: corners of a curve, each later and higher than the one before. */
export function isotonic(courses: readonly Course[]): readonly Block[] {
  const points = courses
    .flat()
    .filter(({ trials }) => trials > 0)
    .toSorted((a, b) => a.steps - b.steps);
  const blocks: Block[] = [];
  for (const { steps, successes, trials } of points) {
    let block: Block = { steps, rate: successes / trials, trials };
    for (let last = blocks.at(-1); last !== undefined && !isAbove(block, last); last = blocks.at(-1)) {
      blocks.pop();
      block = merged(last, block);
    }
    blocks.push(block);
  }
  return blocks;
}

const isAbove = (block: Block, last: Block): boolean => block.rate > last.rate && block.steps > last.steps;

function merged(one: Block, other: Block): Block {
  const trials = one.trials + other.trials;
  const mean = (of: 'steps' | 'rate') => (one[of] * one.trials + other[of] * other.trials) / trials;
  return { steps: mean('steps'), rate: mean('rate'), trials };
}

/** The steps at which the smoothed curve first has this rate; infinite if it never has. */
export function stepsTo(rate: number, courses: readonly Course[]): number {
  const blocks = isotonic(courses);
  const at = blocks.findIndex(block => block.rate >= rate);
  const [before, reached] = [blocks[at - 1], blocks[at]];
  if (reached === undefined) return Number.POSITIVE_INFINITY;
  if (before === undefined) return reached.steps;
  const share = (rate - before.rate) / (reached.rate - before.rate);
  return before.steps + share * (reached.steps - before.steps);
}

/** The rate of the smoothed curve after so many steps; NaN without evaluations. */
export function rateAt(steps: number, courses: readonly Course[]): number {
  const blocks = isotonic(courses);
  const next = blocks.findIndex(block => block.steps >= steps);
  const [before, after] = next < 0 ? [blocks.at(-1)] : [blocks[next - 1], blocks[next]];
  if (before === undefined) return after?.rate ?? Number.NaN;
  if (after === undefined) return before.rate;
  const share = (steps - before.steps) / (after.steps - before.steps);
  return before.rate + share * (after.rate - before.rate);
}

/** The difference of the rates after the last number of steps that both trainings have taken. */
export function lead({ one, other }: Pair): number {
  const steps = Math.min(endOf([one]).steps, endOf([other]).steps);
  return rateAt(steps, [one]) - rateAt(steps, [other]);
}

/** The difference of the last evaluations: after equal minutes. */
export const leadAtEnd = ({ one, other }: Pair): number => endOf([one]).rate - endOf([other]).rate;

/** The last evaluations of all trainings together. */
export function endOf(courses: readonly Course[]): { readonly rate: number; readonly steps: number } {
  const ends = courses.flatMap(course => course.at(-1) ?? []);
  const sum = (of: 'steps' | 'successes' | 'trials') => ends.reduce((all, end) => all + end[of], 0);
  return { rate: sum('successes') / sum('trials'), steps: sum('steps') / ends.length };
}

/** Steps of one training to the final success of the other, over the steps of the other; infinite if it never gets there. */
export function stepsRatio(pairs: readonly Pair[]): number {
  const [ones, others] = [pairs.map(({ one }) => one), pairs.map(({ other }) => other)];
  const goal = endOf(others);
  return stepsTo(goal.rate, ones) / Math.min(goal.steps, stepsTo(goal.rate, others));
}

interface RatioInterval {
  readonly low: number;
  /** Infinite if too many resamples never reach the goal. */
  readonly high: number;
  /** Share of the resamples that never reach the goal. */
  readonly never: number;
}

const RESAMPLES = 10_000;

/**
 * The 95 % interval by bootstrap over seeds; undefined for a single seed. A bootstrap of few seeds varies too little, so its quantiles
 * are taken further out, by the ratio of Student's t to the normal distribution.
 */
export function ratioInterval(
  pairs: readonly Pair[],
  random: Random,
  resamples = RESAMPLES,
): RatioInterval | undefined {
  const count = pairs.length;
  if (count < 2) return undefined;
  const ratios = Array.from({ length: resamples }, () =>
    stepsRatio(
      Array.from({ length: count }, () => pairs[random.int(count)]).filter(pair => pair !== undefined),
    ),
  ).sort((a, b) => a - b);
  const tail = normalTail(Math.sqrt(count / (count - 1)) * studentT(count - 1));
  const at = (share: number) => ratios[Math.round(share * (resamples - 1))] ?? Number.NaN;
  return {
    ...{ low: at(tail), high: at(1 - tail) },
    never: ratios.filter(ratio => !Number.isFinite(ratio)).length / resamples,
  };
}

/** The upper tail of the normal distribution for z >= 0, to within 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = series.reduceRight((inner, factor) => t * (factor + inner), 0);
  return (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
