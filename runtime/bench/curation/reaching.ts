// After how many environment steps one way of training is as good as another ends up, and how sure that is. Pure.
//
// Single measurements jump by some points, and the first that happens to be high enough would make any training look quick. So all
// measurements of all seeds are taken together and smoothed by the rising curve that lies nearest to them (isotonic regression,
// each weighed by its trials). The goal is what the other ends at: all of its last measurements together. It is there where its own curve is,
// and at its mean number of steps at the latest.

import type { Random } from '../../core/rng.ts';
import { studentT } from '../../data/interval.ts';
import type { Course } from './course.ts';

/** Of one seed: both began with the same weights. */
export interface Pair {
  readonly one: Course;
  readonly other: Course;
}

interface Block {
  readonly steps: number;
  readonly rate: number;
  readonly trials: number;
}

/** The rising curve: its corners, each later and higher than the one before. */
export function rising(courses: readonly Course[]): readonly Block[] {
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

/** Where the rising curve first has this rate; infinite where it never has. */
export function stepsTo(rate: number, courses: readonly Course[]): number {
  const blocks = rising(courses);
  const at = blocks.findIndex(block => block.rate >= rate);
  const [before, reached] = [blocks[at - 1], blocks[at]];
  if (reached === undefined) return Number.POSITIVE_INFINITY;
  if (before === undefined) return reached.steps;
  const share = (rate - before.rate) / (reached.rate - before.rate);
  return before.steps + share * (reached.steps - before.steps);
}

/** The height of the rising curve there; NaN where nothing was measured. */
export function rateAt(steps: number, courses: readonly Course[]): number {
  const blocks = rising(courses);
  const next = blocks.findIndex(block => block.steps >= steps);
  const [before, after] = next < 0 ? [blocks.at(-1)] : [blocks[next - 1], blocks[next]];
  if (before === undefined) return after?.rate ?? Number.NaN;
  if (after === undefined) return before.rate;
  const share = (steps - before.steps) / (after.steps - before.steps);
  return before.rate + share * (after.rate - before.rate);
}

/** How much higher the one is than the other at the last number of steps that both have taken: no matter how quick the machine was. */
export function lead({ one, other }: Pair): number {
  const steps = Math.min(endOf([one]).steps, endOf([other]).steps);
  return rateAt(steps, [one]) - rateAt(steps, [other]);
}

/** Success and steps at the end, of all together. */
export function endOf(courses: readonly Course[]): { readonly rate: number; readonly steps: number } {
  const ends = courses.flatMap(course => course.at(-1) ?? []);
  const sum = (of: 'steps' | 'successes' | 'trials') => ends.reduce((all, end) => all + end[of], 0);
  return { rate: sum('successes') / sum('trials'), steps: sum('steps') / ends.length };
}

/**
 * The share of the other's steps after which the one is as good as the other ends; infinite where it never is. The other may have got there
 * before its end: read off its curve as the one's are, its steps make the ratio of a way of training to itself 1.
 */
export function stepsRatio(pairs: readonly Pair[]): number {
  const [ones, others] = [pairs.map(({ one }) => one), pairs.map(({ other }) => other)];
  const goal = endOf(others);
  return stepsTo(goal.rate, ones) / Math.min(goal.steps, stepsTo(goal.rate, others));
}

interface Certain {
  readonly low: number;
  /** Infinite where the one never gets there in too many of the drawings. */
  readonly high: number;
  /** The share of the drawings in which it never gets there. */
  readonly never: number;
}

const DRAWINGS = 10_000;

/**
 * The 95 % interval, by drawing seeds again with replacement. Of few seeds such drawings vary too little; the quantiles are taken as far
 * out as makes up for it, as Student's t is wider than the normal distribution. Undefined for a single seed.
 */
export function ratioInterval(
  pairs: readonly Pair[],
  random: Random,
  drawings = DRAWINGS,
): Certain | undefined {
  const count = pairs.length;
  if (count < 2) return undefined;
  const ratios = Array.from({ length: drawings }, () =>
    stepsRatio(
      Array.from({ length: count }, () => pairs[random.int(count)]).filter(pair => pair !== undefined),
    ),
  ).sort((a, b) => a - b);
  const tail = normalTail(Math.sqrt(count / (count - 1)) * studentT(count - 1));
  const at = (share: number) => ratios[Math.round(share * (drawings - 1))] ?? Number.NaN;
  return {
    ...{ low: at(tail), high: at(1 - tail) },
    never: ratios.filter(ratio => !Number.isFinite(ratio)).length / drawings,
  };
}

/** How much of the normal distribution lies above z >= 0, to within 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = series.reduceRight((inner, factor) => t * (factor + inner), 0);
  return (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
