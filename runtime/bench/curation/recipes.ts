// The benchmark of recipes: trainings of equal length, one arm per recipe, all arms of a seed from the same cloned weights. Each arm learns
// from its groups alone, and ComputerRL from its own successes too. docs/recipes.md has the protocol.

import { type Config, parseConfig } from '../../config/config.ts';
import { relatedSettings } from '../../config/related-recipes.ts';
import { RECIPES, type RecipeName } from '../../config/shape.ts';
import { type ArmRuns, trainClonedArms } from '../arms.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import {
  type AblationRun,
  type AblationSetting,
  cloneSeed,
  EVALUATIONS,
  settingFor,
  trainArm,
} from './ablation.ts';
import { certaintyOf, compareSteps, curvesOf, pairsOf } from './comparison.ts';
import { certain, difference, successOf } from './statistics.ts';
import { type Course, endOf } from './steps-to-success.ts';

const SEEDS = 3;
const MINUTES = 10;

const OTHER_AGENTS: readonly RecipeName[] = ['gspo', 'ui-s1', 'mobile-r1'];

/** All recipes that train the built-in policy on desktops. There `mobile-r1` is `grpo`, since all of its choices can be read. */
export const RECIPE_ARMS: readonly RecipeName[] = RECIPES.filter(name => !OTHER_AGENTS.includes(name));

/** The recipe that the others are compared with, seed by seed. */
const PLAIN = 'grpo';
const figureName = (arm: RecipeName): string => arm.replaceAll('-', '_');

const NO_PASSES = { hindsight: 0, beside: 0, demonstrations: 0, grounding: 0 };

export function recipeConfig(
  arm: RecipeName,
  seed: number,
  { suite, minutes, instances }: AblationSetting,
): Config {
  const isPulsed = relatedSettings(arm, false, 'pocket').trainer?.pulse !== undefined;
  return parseConfig({
    ...{ suite, seed: `recipes/${seed}`, minutes, recipe: arm },
    // Only DART corrects for random decisions.
    rollout: { exploration: 0, daring: 0 },
    // Larger steps would destroy what the cloned weights can do.
    trainer: { learningRate: 3e-4, replay: 0, passes: { ...NO_PASSES, ...(!isPulsed && { successes: 0 }) } },
    exploring: { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false },
    evaluation: {
      everySeconds: Math.max(1, (60 * minutes) / EVALUATIONS),
      ...{ instances, lastInstances: instances },
    },
  });
}

export const recipes: Benchmark = {
  name: 'recipes',
  seeds: SEEDS,
  summary: `trainings with each recipe from the same cloned weights (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  arms: RECIPE_ARMS,
  run: async (report, { minutes = MINUTES, seeds, arms: chosen }) => {
    const setting = settingFor(minutes);
    const plan = { arms: RECIPE_ARMS, seeds, chosen };
    const { starts, runs, clonedAgain } = await trainClonedArms(report, plan, {
      clone: seed => cloneSeed('recipes', seed, setting, report),
      train: (arm, seed, from) => trainArm(recipeConfig(arm, seed, setting), from, report),
    });
    const cloned = starts.map(({ course }) => course);
    const { config, ...result } = recipesResult(runs, cloned, seeds);
    return { ...result, config: { ...setting, arms: [...runs.keys()], clonedAgain, ...config } };
  },
};

/** `cloned`: the start of each seed. */
export function recipesResult(
  runs: ArmRuns<RecipeName, AblationRun>,
  cloned: readonly Course[],
  seeds: number,
): BenchResult {
  const courses = [...runs].map(([arm, all]) => ({ arm, courses: all.map(({ course }) => course) }));
  const arms = new Map(courses.map(({ arm, courses: all }) => [arm, all] as const));
  const rates = courses.map(({ arm, courses: all }) => ({
    name: `success_${figureName(arm)}`,
    rate: successOf(all.flatMap(course => course.at(-1) ?? [])),
  }));
  const gains = [...arms.keys()]
    .filter(arm => arm !== PLAIN && pairsOf(arms, arm, PLAIN).length > 0)
    .map(arm => ({
      name: `${figureName(arm)}_over_${PLAIN}`,
      rate: difference(
        pairsOf(arms, arm, PLAIN).map(({ one, other }) => endOf([one]).rate - endOf([other]).rate),
      ),
    }));
  const means = [...rates, ...gains];
  const start = endOf(cloned).rate;
  const steps = compareSteps(arms, 'dart', PLAIN, start);
  return {
    figures: {
      ...{ arms: runs.size, seeds, success_cloned: start },
      ...Object.fromEntries(means.map(({ name, rate }) => [name, rate.mean])),
      dart_vs_clean_grpo_steps: steps.ratio ?? Number.NaN,
    },
    certainty: {
      ...Object.fromEntries(means.map(({ name, rate }) => [name, certain(rate)])),
      dart_vs_clean_grpo_steps: certaintyOf(steps) ?? {},
    },
    series: curvesOf(arms),
    config: {
      reaching: steps.sentence,
      seedsOfArms: Object.fromEntries(courses.map(({ arm, courses: all }) => [arm, all.length])),
      steps: Object.fromEntries(courses.map(({ arm, courses: all }) => [arm, Math.round(endOf(all).steps)])),
    },
  };
}
