// Compares arms of an experiment that were trained with the same seeds: curves, and the steps of one arm to the final success of
// another. Pure.

import { seeded } from '../../core/rng.ts';
import type { ArmRuns } from '../arms.ts';
import type { BenchSeries, Certainty } from '../results/outcome.ts';
import { certain, meanOf, successOf } from './statistics.ts';
import { type Course, endOf, type Pair, ratioInterval, stepsRatio } from './steps-to-success.ts';

/** The curves of each arm, in the order of the seeds. */
export type Arms<Arm extends string = string> = ArmRuns<Arm, Course>;

/** The seeds that both arms have. */
export const pairsOf = <Arm extends string>(arms: Arms<Arm>, one: Arm, other: Arm): readonly Pair[] =>
  (arms.get(one) ?? []).flatMap((course, seed) => {
    const counterpart = arms.get(other)?.[seed];
    return counterpart === undefined ? [] : [{ one: course, other: counterpart }];
  });

/** An infinite or unknown number has no figure; the sentence states it. */
export interface StepsComparison {
  readonly sentence: string;
  readonly ratio?: number | undefined;
  /** The 95 % interval. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** The steps in which `one` reaches the final success of `other`, over those of `other`. `start`: the success before training. */
export function compareSteps<Arm extends string>(
  arms: Arms<Arm>,
  one: Arm,
  other: Arm,
  start: number,
): StepsComparison {
  const pairs = pairsOf(arms, one, other);
  if (pairs.length === 0) return { sentence: `no seed has both ${one} and ${other}` };
  const end = endOf(pairs.map(pair => pair.other)).rate;
  if (end <= start)
    return {
      sentence: `${other} ends at ${percent(end)} and began at ${percent(start)}: it gained nothing that ${one} could reach sooner`,
    };
  const ratio = stepsRatio(pairs);
  const interval = ratioInterval(pairs, seeded('reaching'));
  const { low = Number.NaN, high = Number.NaN } = interval ?? {};
  const bounds =
    interval === undefined
      ? 'no interval from one seed'
      : `95 %: ${low.toFixed(2)} to ${Number.isFinite(high) ? high.toFixed(2) : 'infinity'}; never in ${percent(interval.never)} of the resamples`;
  const goal = `the final success of ${other} (${percent(end)})`;
  return {
    sentence: Number.isFinite(ratio)
      ? `${one} reaches ${goal} in ${ratio.toFixed(2)} of its environment steps (${bounds})`
      : `${one} does not reach ${goal} (${bounds})`,
    ratio,
    ...(interval !== undefined && { low, high }),
  };
}

/** The interval around a ratio; undefined without a ratio. */
export const certaintyOf = ({ ratio, low, high }: StepsComparison): Certainty | undefined =>
  ratio === undefined
    ? undefined
    : { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };

/** The mean of all seeds at each evaluation; the last evaluations of all seeds are one point. */
export function meanCurve(courses: readonly Course[]): BenchSeries[string] {
  const shortest = Math.min(...courses.map(({ length }) => length));
  const places = [...Array.from({ length: Math.max(0, shortest - 1) }, (_, place) => place), -1];
  return places.map(place => {
    const all = courses.flatMap(course => course.at(place) ?? []);
    const { mean, ...interval } = successOf(all);
    return { x: Math.round(meanOf(all.map(({ steps }) => steps)).mean), y: mean, ...certain(interval) };
  });
}

/** The mean of the seeds of each arm, and each seed. */
export const curvesOf = <Arm extends string>(arms: Arms<Arm>): BenchSeries =>
  Object.fromEntries(
    [...arms].flatMap(([arm, courses]) => [
      [`success by environment steps/${arm}`, meanCurve(courses)],
      ...courses.map((course, seed) => [`each seed/${arm} ${seed}`, meanCurve([course])]),
    ]),
  );

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;
