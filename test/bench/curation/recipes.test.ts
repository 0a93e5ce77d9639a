// The arms of the benchmark of recipes, and its figures.

import { expect, test } from 'vitest';
import { RECIPE_ARMS, recipeConfig, recipesResult } from '../../../runtime/bench/curation/recipes.ts';
import { RECIPES_PAGE } from '../../../runtime/bench/results/controls-page.ts';
import type { RecipeName } from '../../../runtime/config/shape.ts';

const SETTING = { suite: { tiers: [2, 3] }, minutes: 1, cloningMinutes: 0.1, instances: 6 };

test('all arms have the same desktops, tasks, seeds, minutes and evaluations, and imitate nothing beside a group', () => {
  const configs = RECIPE_ARMS.map(arm => recipeConfig(arm, 3, SETTING));
  const [first] = configs;
  for (const {
    suite,
    seed,
    minutes,
    environments,
    rollout,
    evaluation,
    data,
    exploring,
    trainer,
  } of configs) {
    expect({ suite, seed, minutes, environments, rollout, evaluation, data, exploring }).toEqual({
      ...{ suite: first?.suite, seed: first?.seed, minutes: 1, environments: first?.environments },
      ...{ rollout: first?.rollout, evaluation: first?.evaluation, data: first?.data },
      exploring: first?.exploring,
    });
    expect(rollout).toMatchObject({ exploration: 0, daring: 0 });
    expect(trainer).toMatchObject({ replay: 0, learningRate: 3e-4, passes: { hindsight: 0, grounding: 0 } });
    expect(trainer.passes.successes > 0).toBe(trainer.pulse.policy > 0);
  }
  expect(configs.map(({ recipe }) => recipe)).toEqual(RECIPE_ARMS);
  expect(RECIPE_ARMS).not.toContain('gspo');
});

test('the figures are the arms, the seeds, and the pooled success of the last evaluations', () => {
  const run = (steps: number, successes: number) => ({
    course: [
      { steps: 10, successes: 0, trials: 10 },
      { steps, successes, trials: 10 },
    ],
    explored: 0,
  });
  const runs = new Map<RecipeName, ReturnType<typeof run>[]>([
    ['grpo', [run(100, 3), run(200, 5)]],
    ['dart', [run(100, 9), run(300, 7)]],
  ]);
  const { figures, certainty, config } = recipesResult(
    runs,
    [[{ steps: 0, successes: 1, trials: 10 }], [{ steps: 0, successes: 3, trials: 10 }]],
    2,
  );
  expect(figures).toMatchObject({
    ...{ arms: 2, seeds: 2, success_cloned: 0.2 },
    ...{ success_grpo: 0.4, success_dart: 0.8 },
  });
  expect(figures['dart_over_grpo']).toBeCloseTo(0.4, 9);
  // Student's interval of 0.6 and 0.2: 0.4 ± 12.706 · 0.2, at most 1.
  expect(certainty?.['dart_over_grpo']).toMatchObject({ low: -1, high: 1 });
  expect(figures).not.toHaveProperty('grpo_over_grpo');
  expect(figures['dart_vs_clean_grpo_steps']).toBeLessThan(1);
  expect(config).toMatchObject({ steps: { grpo: 150, dart: 200 }, seedsOfArms: { grpo: 2, dart: 2 } });
});

test('without one of the two arms there is no ratio, and the sentence says so', () => {
  const run = { course: [{ steps: 100, successes: 9, trials: 10 }], explored: 0 };
  const { figures, config } = recipesResult(new Map([['dart', [run]]]), [run.course], 1);
  expect(figures['dart_vs_clean_grpo_steps']).toBeNaN();
  expect(figures).not.toHaveProperty('dart_over_grpo');
  expect(config['reaching']).toBe('no seed has both dart and grpo');
});

test('the page of results describes the success of every arm', () => {
  const described = RECIPES_PAGE.figures.map(({ name }) => name);
  expect(described).toEqual(
    expect.arrayContaining(RECIPE_ARMS.map(arm => `success_${arm.replaceAll('-', '_')}`)),
  );
  expect(described).toEqual(expect.arrayContaining(['dapo_over_grpo', 'ui_tars_2_over_grpo']));
});
