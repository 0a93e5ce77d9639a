// The benchmark of recipes with --controls: the headline training of tier 1 with all of its teachers, and with each of them alone. Each arm gets
// the same minutes. docs/recipes.md has the protocol. More seeds than the default train only the arms of the difference, RL over imitation.

import { type Config, parseConfig } from '../../config/config.ts';
import type { DeepPartial } from '../../config/related-recipes.ts';
import { evaluationOf } from '../learn.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import { type AblationRun, trainArm } from './ablation.ts';
import { curvesOf } from './comparison.ts';
import { certain, difference, successOf } from './statistics.ts';
import { type Course, endOf } from './steps-to-success.ts';

const SEEDS = 3;
const MINUTES = 5;

/** `imitation` has every teacher but RL. `filtered` imitates the successes of the policy alone. */
export const CONTROL_ARMS = ['all', 'imitation', 'hindsight', 'filtered', 'rl'] as const;
export type ControlArm = (typeof CONTROL_ARMS)[number];
const DIFFERENCE: readonly ControlArm[] = ['all', 'imitation'];

/** Seed by seed, so that an unfinished run can be compared. */
export const controlParts = (seeds: number): readonly { readonly arm: ControlArm; readonly seed: number }[] =>
  Array.from({ length: seeds }, (_, seed) =>
    (seed < SEEDS ? CONTROL_ARMS : DIFFERENCE).map(arm => ({ arm, seed })),
  ).flat();

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

/** The trainings of each arm, one per seed. */
type ControlRuns<Arm extends string> = ReadonlyMap<Arm, readonly Pick<AblationRun, 'course'>[]>;

export const controls: Benchmark = {
  name: 'recipes',
  variant: 'controls',
  seeds: SEEDS,
  summary: `tier 1 from random weights: all teachers, and each without the others (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  run: async (report, { minutes = MINUTES, seeds }) => {
    const runs = new Map<ControlArm, readonly AblationRun[]>();
    const parts = controlParts(seeds);
    for (const { arm, seed } of parts) {
      const config = controlConfig(arm, seed, minutes);
      const run = await report.part(`${arm}, seed ${seed}`, parts.length, () =>
        trainArm(config, undefined, report),
      );
      runs.set(arm, [...(runs.get(arm) ?? []), run]);
    }
    const { config, ...result } = controlsResult(runs, seeds, [['all', 'imitation']]);
    return { ...result, config: { minutes, arms: CONTROL_ARMS, ...config } };
  },
};

/** The success of each arm at its end, and for each pair the gain of its first arm over its second, seed by seed. */
export function controlsResult<Arm extends string>(
  runs: ControlRuns<Arm>,
  seeds: number,
  pairs: readonly (readonly [Arm, Arm])[],
): BenchResult {
  const arms = [...runs].map(([arm, all]) => ({ arm, courses: all.map(({ course }) => course) }));
  const rates = arms.map(({ arm, courses }) => ({
    name: `success_${arm}`,
    mean: successOf(courses.flatMap(course => course.at(-1) ?? [])),
  }));
  const endsOf = (arm: Arm) => (runs.get(arm) ?? []).map(({ course }) => rateAtEnd(course));
  const gains = pairs.map(([one, other]) => {
    const others = endsOf(other);
    const each = endsOf(one).map((rate, seed) => rate - (others[seed] ?? Number.NaN));
    return { name: `${one}_over_${other}`, mean: difference(each) };
  });
  const means = [...rates, ...gains];
  return {
    figures: {
      ...{ arms: arms.length, seeds },
      ...Object.fromEntries(means.map(({ name, mean }) => [name, mean.mean])),
    },
    certainty: Object.fromEntries(means.map(({ name, mean }) => [name, certain(mean)])),
    series: curvesOf(new Map(arms.map(({ arm, courses }) => [arm, courses]))),
    config: {
      seedsOfArms: Object.fromEntries(arms.map(({ arm, courses }) => [arm, courses.length])),
      steps: Object.fromEntries(arms.map(({ arm, courses }) => [arm, Math.round(endOf(courses).steps)])),
    },
  };
}

function rateAtEnd(course: Course): number {
  const { successes = 0, trials = 0 } = course.at(-1) ?? {};
  return successes / trials;
}
