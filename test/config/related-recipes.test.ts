// The recipes of related systems: values of settings over the defaults, and nothing else.

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { leavesOf, pathText, valueAt } from '../../runtime/config/leaves.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { relatedSettings } from '../../runtime/config/related-recipes.ts';
import { RECIPES, type RecipeName } from '../../runtime/config/shape.ts';
import { tokenRecipe } from '../../runtime/config/token-recipe.ts';
import { trainingRecipe } from '../../runtime/config/training-recipe.ts';
import { messageOf } from '../../runtime/core/errors.ts';

const AGENT = {
  agent: 'qwen',
  agents: {
    qwen: {
      ...{ profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen' },
      learner: { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' },
    },
  },
};
/** The surroundings that a recipe needs. */
const placeOf = (name: RecipeName) =>
  name === 'ui-s1' ? { environments: { kind: 'offline' }, suite: { files: 'stored' } } : {};

const ofPolicy = RECIPES.filter(name => name !== 'gspo');
const ofModel = RECIPES.filter(name => name !== 'computer-rl');

function refused(value: unknown): string {
  try {
    parseConfig(value);
  } catch (error) {
    return messageOf(error);
  }
  return 'accepted';
}

test('the default is DART: no mechanism of another recipe acts', () => {
  const config = parseConfig({});
  expect(config).toEqual(parseConfig({ recipe: 'dart' }));
  expect(config.trainer).toMatchObject({
    ...{
      advantages: 'steps',
      aggregation: 'steps',
      budget: 0,
      learningRate: 1e-3,
      policyRows: 24,
      replay: 16,
    },
    ...{
      shaping: { shortestPath: 0, overlong: 0, format: 0 },
      positives: { share: 0 },
      pulse: { policy: 0 },
    },
    shares: { hindsight: 2, beside: 0.5, successes: 2, demonstrations: 1, grounding: 1 },
  });
  expect(config.trainer.objective).toEqual({
    ...{ clipLow: 0.2, clipHigh: 0.28, dualClip: 10, truncation: 1, divergence: 0 },
    ...{ importance: 'token', ratio: 'token', entropyFloor: 0.05, entropyWeight: 0.02 },
  });
  expect(config.curation).toEqual({
    ...{ preset: 'dart', successPool: true, rolloutNumber: true, revisits: true, patience: 0, length: true },
    ...{ lengthMargin: 1.25, lengthFloor: 6, coolDown: false, stages: 1, highEntropy: true, alignment: true },
  });
});

describe.each([
  ['the built-in policy', {}, ofPolicy, false],
  ['a model agent', AGENT, ofModel, true],
] as const)('for %s', (_, agent, names, isModel) => {
  test.each(names)('%s sets its values, and changes no other setting', name => {
    const config = parseConfig({ ...agent, ...placeOf(name), recipe: name });
    const base = parseConfig({ ...agent, ...placeOf(name) });
    const values = relatedSettings(name, isModel, name === 'ui-s1' ? 'offline' : 'pocket');
    for (const { path, value } of leavesOf(config)) {
      if (path[0] === 'recipe') expect(value).toBe(name);
      else if (valueAt(values, path) !== undefined) expect(value).toEqual(valueAt(values, path));
      // The parts that a preset of curation turns off.
      else if (path[0] !== 'curation') expect(value, pathText(path)).toEqual(valueAt(base, path));
    }
  });

  test('a given setting overrides the value of a recipe', () => {
    const trainer = { objective: { clipHigh: 0.25 } };
    expect(parseConfig({ ...agent, recipe: 'dapo', trainer }).trainer).toMatchObject({
      ...{ aggregation: 'tokens', advantages: 'rollouts' },
      objective: { clipLow: 0.2, clipHigh: 0.25 },
    });
    const part = parseConfig({ ...agent, recipe: 'grpo', curation: { length: true } });
    expect(part.curation).toMatchObject({ length: true, highEntropy: false, alignment: false });
  });
});

test('each value of a recipe is a setting', () => {
  for (const name of RECIPES)
    for (const isModel of [false, true])
      for (const kind of ['pocket', 'offline'] as const)
        for (const { path } of leavesOf(relatedSettings(name, isModel, kind)))
          expect(valueAt(defaults({}), path), `${name}: ${pathText(path)}`).toBeDefined();
});

test('Mobile-R1 compares single actions of stored trajectories, and whole rollouts on desktops', () => {
  const offline = { environments: { kind: 'offline' }, suite: { files: 'stored' } };
  const trajectories = parseConfig({ ...offline, recipe: 'mobile-r1' });
  expect(trajectories.trainer).toMatchObject({ advantages: 'actions', shaping: { format: 0 } });
  // Each difference of an episode is patched, so each step is a prompt of its own.
  expect(trajectories.environments.offline.patches).toBe(1000);
  const model = parseConfig({ ...AGENT, recipe: 'mobile-r1' });
  expect(model.trainer).toMatchObject({ advantages: 'rollouts', shaping: { format: 1 } });
  expect(model.environments.offline.patches).toBe(2);
  const { recipe: _, ...policy } = parseConfig({ recipe: 'mobile-r1' });
  expect(policy).toEqual({ ...parseConfig({ recipe: 'grpo' }), recipe: undefined });
});

test('CRAFT-GUI compares parts of actions of stored trajectories', () => {
  const offline = { environments: { kind: 'offline' }, suite: { files: 'stored' } };
  const { trainer, curation, environments } = parseConfig({ ...offline, recipe: 'craft-gui' });
  expect(trainer.advantages).toBe('parts');
  expect(curation.stages).toBe(3);
  expect(environments.offline.patches).toBe(1000);
  expect(parseConfig({ recipe: 'craft-gui' }).trainer.advantages).toBe('rollouts');
});

test('nothing is searched for that would not train', () => {
  const { firstSeconds, searching, otherwise, hindsight } = parseConfig({ recipe: 'computer-rl' }).exploring;
  expect({ firstSeconds, searching, otherwise, hindsight }).toEqual({
    ...{ firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false },
  });
  expect(parseConfig({ recipe: 'grpo' }).exploring).toEqual(parseConfig({}).exploring);
});

test('the trainers get the values', () => {
  expect(trainingRecipe(parseConfig({ recipe: 'c3po' }))).toMatchObject({
    ...{ budget: 48, highEntropy: false },
    objective: { clipHigh: 0.2, dualClip: 0, truncation: 0 },
  });
  expect(trainingRecipe(parseConfig({ recipe: 'computer-rl' }))).toMatchObject({
    ...{ replay: 0, pulse: { imitation: 200, policy: 600 } },
    shares: { hindsight: 0, successes: 1 },
  });
  expect(trainingRecipe(parseConfig({ recipe: 'digi-rl' }))).toMatchObject({
    ...{ objective: { clipHigh: 10, dualClip: 0, truncation: 0 }, shares: { successes: 0 } },
  });
  expect(tokenRecipe(parseConfig({ ...AGENT, recipe: 'digi-rl' }))).toMatchObject({
    ...{ objective: { clipHigh: 10, dualClip: 0, divergence: 0, truncation: 0 }, highEntropy: false },
  });
  expect(trainingRecipe(parseConfig({ recipe: 'ui-tars-2' }))).toMatchObject({
    objective: { clipLow: 0.2, clipHigh: 0.28, dualClip: 0, truncation: 0 },
  });
  expect(tokenRecipe(parseConfig({ ...AGENT, recipe: 'gspo' }))).toMatchObject({
    objective: { ratio: 'sequence', clipLow: 3e-4, clipHigh: 4e-4, divergence: 0 },
  });
  expect(tokenRecipe(parseConfig({ ...AGENT, recipe: 'dapo' }))).toMatchObject({
    ...{ aggregation: 'tokens', budget: 0, highEntropy: false },
    objective: { clipHigh: 0.28, divergence: 0, truncation: 0 },
  });
});

test('without a policy loss, a recipe with phases trains once its phases are off', () => {
  const { trainer } = parseConfig({
    recipe: 'computer-rl',
    trainer: { policyWeight: 0, pulse: { policy: 0 } },
  });
  expect(trainer).toMatchObject({ policyWeight: 0, pulse: { policy: 0 } });
});

describe('is refused:', () => {
  test.each([
    ['a ratio per reply without replies', { recipe: 'gspo' }],
    ['phases of imitation for an agent that imitates nothing', { ...AGENT, recipe: 'computer-rl' }],
    [
      'advantages by the elements of screens for an agent without elements',
      { ...AGENT, trainer: { advantages: 'contributions' } },
    ],
    ['a preset of curation beside a recipe', { recipe: 'grpo', curation: { preset: 'no-length' } }],
    ['a mean that a budget replaces', { recipe: 'c3po', trainer: { aggregation: 'tokens' } }],
    ['kept successes without replay', { trainer: { positives: { perBatch: 9 } } }],
    [
      'stored successes for groups that are not compared',
      { recipe: 'digi-rl', curation: { successPool: true } },
    ],
    [
      'rewards by length beside learned values',
      { recipe: 'ui-tars-2', trainer: { shaping: { overlong: 0.1 } } },
    ],
    ['a reward for replies without replies', { trainer: { shaping: { format: 1 } } }],
    ['actions of an expert on desktops', { trainer: { advantages: 'actions' } }],
    ['parts of them on desktops', { trainer: { advantages: 'parts' } }],
    ['the length of a phase without phases', { trainer: { pulse: { imitation: 9 } } }],
    ['phases on groups that train nothing', { recipe: 'computer-rl', trainer: { policyWeight: 0 } }],
    [
      'rewards by length for steps that have their own',
      { recipe: 'computer-rl', trainer: { shaping: { overlong: 0.1 } } },
    ],
  ])('%s', (_, value) => {
    expect(refused(value)).toMatch(
      /'[\w.-]*(gspo|computer-rl|preset|aggregation|perBatch|imitation|successPool|overlong|format|advantages|policyWeight)' .*\. \w/,
    );
  });
});
