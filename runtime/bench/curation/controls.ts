// The benchmark of recipes with --controls: the headline training of tier 1 with all of its teachers, and with each of them alone. Each arm gets
// the same minutes. docs/recipes.md has the protocol.

import { type Config, parseConfig } from '../../config/config.ts';
import type { DeepPartial } from '../../config/related-recipes.ts';
import { type ArmRuns, trainArms } from '../arms.ts';
import { evaluationOf } from '../learn.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import { type AblationRun, trainArm } from './ablation.ts';
import { curvesOf, pairsOf } from './comparison.ts';
import { certain, difference, successOf } from './statistics.ts';
import { type Course, endOf } from './steps-to-success.ts';

const SEEDS = 3;
const MINUTES = 5;

/** `imitation` has every teacher but RL. `filtered` imitates the successes of the policy alone. */
export const CONTROL_ARMS = ['all', 'imitation', 'hindsight', 'filtered', 'rl'] as const;
export type ControlArm = (typeof CONTROL_ARMS)[number];

const NO_EXPLORATION = { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false };
/** Without groups nothing is imitated. */
export const NO_PASSES = { hindsight: 0, beside: 0, successes: 0, demonstrations: 0, grounding: 0 };

type ControlSettings = DeepPartial<Pick<Config, 'trainer' | 'exploring'>>;

/** The settings that turn off the teachers which an arm does not have. */
export const LEFT_OUT: Readonly<Record<ControlArm, ControlSettings>> = {
  all: {},
  imitation: { trainer: { policyWeight: 0 } },
  hindsight: { trainer: { policyWeight: 0, shares: { successes: 0, grounding: 0 } } },
  filtered: {
    trainer: { policyWeight: 0, shares: { hindsight: 0, beside: 0, grounding: 0 } },
    exploring: NO_EXPLORATION,
  },
  rl: { trainer: { replay: 0, passes: NO_PASSES }, exploring: NO_EXPLORATION },
};

export const controlConfig = (arm: ControlArm, seed: number, minutes: number): Config =>
  parseConfig({
    ...{ suite: { tiers: [1] }, seed: `controls/${seed}`, minutes },
    ...LEFT_OUT[arm],
    evaluation: evaluationOf(minutes),
  });

export const controls: Benchmark = {
  name: 'recipes',
  variant: 'controls',
  seeds: SEEDS,
  summary: `tier 1 from random weights: all teachers, and each without the others (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  arms: CONTROL_ARMS,
  run: async (report, { minutes = MINUTES, seeds, arms: chosen }) => {
    const runs = await trainArms(report, { arms: CONTROL_ARMS, seeds, chosen }, (arm, seed) =>
      trainArm(controlConfig(arm, seed, minutes), undefined, report),
    );
    const { config, ...result } = controlsResult(runs, seeds, [['all', 'imitation']]);
    return { ...result, config: { minutes, arms: [...runs.keys()], ...config } };
  },
};

/** The success of each arm at its end, and for each pair the gain of its first arm over its second, seed by seed. */
export function controlsResult<Arm extends string>(
  runs: ArmRuns<Arm, Pick<AblationRun, 'course'>>,
  seeds: number,
  pairs: readonly (readonly [Arm, Arm])[],
): BenchResult {
  const arms = [...runs].map(([arm, all]) => ({ arm, courses: all.map(({ course }) => course) }));
  const rates = arms.map(({ arm, courses: each }) => ({
    name: `success_${arm}`,
    mean: successOf(each.flatMap(course => course.at(-1) ?? [])),
  }));
  const courses = new Map(arms.map(({ arm, courses: each }) => [arm, each]));
  const gains = pairs.map(([one, other]) => ({
    name: `${one}_over_${other}`,
    mean: difference(pairsOf(courses, one, other).map(pair => rateAtEnd(pair.one) - rateAtEnd(pair.other))),
  }));
  const means = [...rates, ...gains];
  return {
    figures: {
      ...{ arms: arms.length, seeds },
      ...Object.fromEntries(means.map(({ name, mean }) => [name, mean.mean])),
    },
    certainty: Object.fromEntries(means.map(({ name, mean }) => [name, certain(mean)])),
    series: curvesOf(courses),
    config: {
      seedsOfArms: Object.fromEntries(arms.map(({ arm, courses: each }) => [arm, each.length])),
      steps: Object.fromEntries(arms.map(({ arm, courses: each }) => [arm, Math.round(endOf(each).steps)])),
    },
  };
}

function rateAtEnd(course: Course): number {
  const { successes = 0, trials = 0 } = course.at(-1) ?? {};
  return successes / trials;
}
