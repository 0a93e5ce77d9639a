// What the ablation came to: figures with their intervals, curves, and lines to read. Pure, but for the seed of the drawings.

import type { CurationPreset } from '../../config/sections/curation.ts';
import { seeded } from '../../core/rng.ts';
import type { Certainty, Series } from '../results/outcome.ts';
import { FULL, figureOf, PLAIN } from './arms.ts';
import type { Course, Measurement } from './course.ts';
import { endOf, lead, type Pair, ratioInterval, stepsRatio } from './reaching.ts';
import { certain, difference, type Mean, meanOf, rounded, successOf } from './statistics.ts';

export interface Arm {
  readonly course: Course;
  readonly explored: number;
}

/** Of each arm its seeds, in the same order in all. */
export type Arms = ReadonlyMap<CurationPreset, readonly Arm[]>;

export function outcomeOf(arms: Arms, cloned: Course) {
  const start = endOf([cloned]).rate;
  const means: [string, Mean][] = [];
  for (const arm of arms.keys()) means.push([`success_${figureOf(arm)}`, successOf(lastOf(arms, arm))]);
  means.push(['grpo_gain', difference(coursesOf(arms, PLAIN).map(course => endOf([course]).rate - start))]);
  for (const arm of arms.keys())
    if (arm !== FULL && arm !== PLAIN)
      means.push([`loss_${figureOf(arm)}`, difference(pairsOf(arms, FULL, arm).map(lead))]);
  const reached = reaching(arms, start);
  const figures = {
    ...reached.figures,
    success_cloned: start,
    ...Object.fromEntries(means.map(([name, { mean }]) => [name, mean])),
  };
  const certainty: Readonly<Record<string, Certainty>> = {
    ...reached.certainty,
    ...Object.fromEntries(means.map(([name, mean]) => [name, certain(mean)])),
  };
  return {
    figures: Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)])),
    certainty,
    series: seriesOf(arms),
    config: {
      steps: Object.fromEntries(
        [...arms.keys()].map(arm => [arm, Math.round(endOf(coursesOf(arms, arm)).steps)]),
      ),
      explored: Object.fromEntries(
        [...arms].map(([arm, runs]) => [arm, Math.round(meanOf(runs.map(({ explored }) => explored)).mean)]),
      ),
      reaching: reached.line,
    },
    lines: [
      reached.line,
      `${'success_cloned'.padEnd(32)}${percent(start)}`,
      ...means.map(([name, mean]) => `${name.padEnd(32)}${inWords(mean)}`),
    ],
  };
}

const lastOf = (arms: Arms, arm: CurationPreset): readonly Measurement[] =>
  coursesOf(arms, arm).flatMap(course => course.at(-1) ?? []);

const coursesOf = (arms: Arms, arm: CurationPreset): readonly Course[] =>
  (arms.get(arm) ?? []).map(({ course }) => course);

/** Of the seeds that both have. */
function pairsOf(arms: Arms, one: CurationPreset, other: CurationPreset): readonly Pair[] {
  const others = coursesOf(arms, other);
  return coursesOf(arms, one).flatMap((course, seed) => {
    const beside = others[seed];
    return beside === undefined ? [] : [{ one: course, other: beside }];
  });
}

/** Figures are of what there is: a ratio that is infinite, and an interval without an end, are told in words only. */
function reaching(arms: Arms, start: number) {
  const plain = coursesOf(arms, PLAIN);
  const end = endOf(plain).rate;
  if (end <= start)
    return {
      line: `${PLAIN} ends at ${percent(end)} and began at ${percent(start)}: there is nothing that ${FULL} could reach sooner`,
      ...{ figures: {}, certainty: {} },
    };
  const pairs = pairsOf(arms, FULL, PLAIN);
  const ratio = stepsRatio(pairs);
  const interval = ratioInterval(pairs, seeded('reaching'));
  const known = Object.entries({
    dart_vs_grpo_steps: ratio,
    dart_vs_grpo_ci_low: interval?.low ?? Number.NaN,
    dart_vs_grpo_ci_high: interval?.high ?? Number.NaN,
  }).filter(([, value]) => Number.isFinite(value));
  const { low = Number.NaN, high = Number.NaN, never = 0 } = interval ?? {};
  const goal = `the success at which ${PLAIN} ends (${percent(end)})`;
  const sure =
    interval === undefined
      ? 'one seed gives no interval'
      : `95 %: ${low.toFixed(2)} to ${Number.isFinite(high) ? high.toFixed(2) : 'without an end'}; never in ${percent(never)} of the drawings`;
  const line = Number.isFinite(ratio)
    ? `${FULL} reaches ${goal} in ${ratio.toFixed(2)} of its environment steps (${sure})`
    : `${FULL} does not reach ${goal} (${sure})`;
  return {
    line,
    figures: Object.fromEntries(known),
    certainty: { ...(Number.isFinite(ratio) && { dart_vs_grpo_steps: certain({ low, high }) }) },
  };
}

/** Of each arm the mean of its seeds, measurement by measurement; the last of all are one point. */
function seriesOf(arms: Arms): Series {
  return Object.fromEntries(
    [...arms.keys()].map(arm => {
      const courses = coursesOf(arms, arm);
      const least = Math.min(...courses.map(({ length }) => length));
      const places = [...Array.from({ length: Math.max(0, least - 1) }, (_, place) => place), -1];
      const points = places.map(place => {
        const all = courses.flatMap(course => course.at(place) ?? []);
        const { mean, ...interval } = successOf(all);
        const steps = meanOf(all.map(each => each.steps)).mean;
        return { x: Math.round(steps), y: rounded(mean), ...certain(interval) };
      });
      return [`success by environment steps/${arm}`, points];
    }),
  );
}

const inWords = ({ mean, low, high }: Mean): string =>
  Number.isNaN(low) ? percent(mean) : `${percent(mean)}  (95 %: ${percent(low)} to ${percent(high)})`;

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;
