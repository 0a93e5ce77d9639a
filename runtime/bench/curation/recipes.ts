// The benchmark of recipes: trainings of equal length from the same cloned weights, one arm per recipe. Each arm learns from its groups
// alone, and ComputerRL from its own successes too. docs/recipes.md has the protocol.

import { type Config, parseConfig } from '../../config/config.ts';
import { relatedSettings } from '../../config/related-recipes.ts';
import { RECIPES, type RecipeName } from '../../config/shape.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import { clonePath, trainClone } from '../training.ts';
import {
  type AblationRun,
  type AblationSetting,
  cloningConfig,
  EVALUATIONS,
  settingFor,
  trainArm,
} from './ablation.ts';
import { certaintyOf, compareSteps, curvesOf } from './comparison.ts';
import { certain, successOf } from './statistics.ts';
import { type Course, courseOf, endOf } from './steps-to-success.ts';

const SEEDS = 3;
const MINUTES = 10;

/** All recipes that train the built-in policy on desktops. */
export const RECIPE_ARMS: readonly RecipeName[] = RECIPES.filter(name => name !== 'gspo' && name !== 'ui-s1');

const NO_PASSES = { hindsight: 0, beside: 0, demonstrations: 0, grounding: 0 };

export function recipeConfig(
  arm: RecipeName,
  seed: number,
  { suite, minutes, instances }: AblationSetting,
): Config {
  const isPulsed = relatedSettings(arm, false).trainer?.pulse !== undefined;
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

type RecipeRuns = ReadonlyMap<RecipeName, readonly AblationRun[]>;

export const recipes: Benchmark = {
  name: 'recipes',
  seeds: SEEDS,
  summary: `trainings with each recipe from the same cloned weights (--minutes ${MINUTES} each)`,
  run: async (report, { minutes = MINUTES, seeds }) => {
    const setting = settingFor(minutes);
    const count = 1 + RECIPE_ARMS.length * seeds;
    const cloned = await report.part('cloning', count, () =>
      trainClone(cloningConfig(setting), report, 'recipes', async (_, state) => ({
        course: courseOf(state.curve),
      })),
    );
    const from = await clonePath(report, cloned.file);
    const runs = new Map<RecipeName, readonly AblationRun[]>();
    // Seed by seed, so that an unfinished run can be compared.
    for (let seed = 0; seed < seeds; seed++)
      for (const arm of RECIPE_ARMS) {
        const config = recipeConfig(arm, seed, setting);
        const run = await report.part(`${arm}, seed ${seed}`, count, () => trainArm(config, from, report));
        runs.set(arm, [...(runs.get(arm) ?? []), run]);
      }
    const { config, ...result } = recipesResult(runs, cloned.course, seeds);
    return { ...result, config: { ...setting, recipes: RECIPE_ARMS, ...config } };
  },
};

export function recipesResult(runs: RecipeRuns, cloned: Course, seeds: number): BenchResult {
  const courses = [...runs].map(([arm, all]) => ({ arm, courses: all.map(({ course }) => course) }));
  const rates = courses.map(({ arm, courses: all }) => ({
    name: `success_${arm.replaceAll('-', '_')}`,
    rate: successOf(all.flatMap(course => course.at(-1) ?? [])),
  }));
  const arms = new Map(courses.map(({ arm, courses: all }) => [arm, all] as const));
  const start = endOf([cloned]).rate;
  const steps = compareSteps(arms, 'dart', 'grpo', start);
  return {
    figures: {
      ...{ arms: runs.size, seeds, success_cloned: start },
      ...Object.fromEntries(rates.map(({ name, rate }) => [name, rate.mean])),
      dart_vs_clean_grpo_steps: steps.ratio ?? Number.NaN,
    },
    certainty: {
      ...Object.fromEntries(rates.map(({ name, rate }) => [name, certain(rate)])),
      dart_vs_clean_grpo_steps: certaintyOf(steps) ?? {},
    },
    series: curvesOf(arms),
    config: {
      reaching: steps.sentence,
      steps: Object.fromEntries(courses.map(({ arm, courses: all }) => [arm, Math.round(endOf(all).steps)])),
    },
  };
}
