// The configuration of a run that trains a model agent.

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { DART_7B } from '../../runtime/config/recipe.ts';
import { tokenRecipe } from '../../runtime/config/token-recipe.ts';
import { messageOf } from '../../runtime/core/errors.ts';
import { DART_OBJECTIVE } from '../../runtime/learner/token-objective.ts';

const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' };
const qwen = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen', learner };
const trained = (settings: object = {}, agent: object = {}) =>
  parseConfig({ agent: 'qwen', agents: { qwen: { ...qwen, ...agent } }, ...settings });

function refused(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return messageOf(error);
  }
  throw new Error('It was accepted.');
}

test('the default preset of a model agent has the constants of the paper', () => {
  const config = trained();
  expect(config).toMatchObject({ preset: 'dart-7b', demonstrations: 0, mode: 'screenshot' });
  // Names in pixels cannot be replaced.
  expect(config.trainer).toEqual({ ...DART_7B.trainer, renaming: 0 });
  expect(config.data.rollouts).toBe(8);
  expect(tokenRecipe(config)).toMatchObject({
    objective: DART_OBJECTIVE,
    learningRate: 1e-6,
    highEntropy: true,
  });
});

test('a model has no more desktops than the kind has for the built-in policy', () => {
  const guest = { hosts: [{ address: 'http://a:5000', browserPort: 9222, vlcPort: 8080 }] };
  const on = (environments: object, settings: object = {}) =>
    trained({ environments, ...settings }).environments.desktops;
  expect(on({ kind: 'pocket' })).toBe(16);
  expect(on({ kind: 'docker' })).toBe(8);
  expect(on({ kind: 'guest', guest }, { suite: { files: 'tasks' } })).toBe(1);
});

test('the mode is that of the agent', () => {
  const generic = { profile: 'generic' };
  expect(trained({}, generic).mode).toBe('screenshot_a11y_tree');
  expect(trained({}, { ...generic, mode: 'a11y_tree' }).mode).toBe('a11y_tree');
});

test('without alignment there is no importance weight', () => {
  expect(tokenRecipe(trained({ curation: { alignment: false } })).objective.truncation).toBe(0);
  const gspo = trained({ trainer: { objective: { ratio: 'sequence', importance: 'sequence' } } });
  expect(tokenRecipe(gspo).objective).toMatchObject({ ratio: 'sequence', importance: 'sequence' });
});

test('a learner of files has no KL term, so it asks for no reference weights', () => {
  const file = { learner: { kind: 'file', folder: 'rows' } };
  expect(tokenRecipe(trained({}, file)).objective.divergence).toBe(0);
  expect(tokenRecipe(trained({ recipe: 'grpo' }, file)).objective.divergence).toBe(0);
});

test('a recorded run with filtered imitation loads, with a learner of files and with shaped rewards', () => {
  const file = { learner: { kind: 'file', folder: 'rows' } };
  const trainer = { weighting: 'successes', shaping: { overlong: 0.2 } };
  for (const learner of [{}, file]) {
    const { trainer: read } = trained({ trainer }, learner);
    expect(read).toMatchObject({ advantages: 'successes', shaping: { overlong: 0 } });
  }
});

describe('is rejected:', () => {
  test.each<[() => unknown, string]>([
    [() => trained({ preset: 'taught' }), "The preset 'taught' is for the built-in policy"],
    [() => parseConfig({ preset: 'dart-7b' }), "The preset 'dart-7b' is for pretrained models"],
    [() => trained({ demonstrations: 2 }), "the agent 'qwen' replies in tokens"],
    [() => trained({ mode: 'a11y_tree' }), "the agent 'qwen' observes 'screenshot'"],
    [() => trained({ trainer: { replay: 3 } }), "'trainer.replay' has no effect unless 'agent' is 'compact'"],
    [
      () => parseConfig({ trainer: { objective: { ratio: 'sequence' } } }),
      "'trainer.objective.ratio' has no effect while 'agent' is 'compact'",
    ],
    [
      () => trained({}, { learner: { kind: 'tinker', url: 'http://localhost:1' } }),
      "A learner of the kind 'tinker' needs 'base'",
    ],
    [
      () => trained({}, { learner: { kind: 'file', folder: 'rows', rank: 8 } }),
      "'rank' has no effect on a learner of the kind 'file'",
    ],
    [() => trained({}, { learner: { kind: 'in-process' } }), "needs 'weights'"],
    [
      () =>
        trained(
          { trainer: { objective: { divergence: 0.2 } } },
          { learner: { kind: 'file', folder: 'rows' } },
        ),
      "'trainer.objective.divergence' has no effect while the learner of the agent is of the kind 'file'",
    ],
    ...(
      [
        [{ trainer: { objective: { clipLow: 0.1 } } }, "'trainer.objective.clipLow' has no effect"],
        [{ trainer: { learningRate: 1e-5 } }, "'trainer.learningRate' has no effect"],
        [{ evaluation: { everySeconds: 60 } }, "'evaluation.everySeconds' has no effect"],
        [{ data: { stalenessUpdates: 2 } }, "'data.stalenessUpdates' has no effect"],
        [{ recipe: 'gspo' }, "a learner of the kind 'file' computes none"],
      ] as const
    ).map(([settings, message]): [() => unknown, string] => [
      () => trained(settings, { learner: { kind: 'file', folder: 'rows' } }),
      message,
    ]),
    [
      () => trained({ curation: { alignment: false }, trainer: { objective: { importance: 'sequence' } } }),
      "'trainer.objective.importance' has no effect while 'curation.alignment' is false",
    ],
    [
      () => trained({ trainer: { advantages: 'successes', shaping: { overlong: 0.2 } } }),
      "'trainer.shaping.overlong' has no effect unless 'trainer.advantages' is 'steps' or 'rollouts'",
    ],
  ])('%s', (read, message) => {
    expect(refused(read)).toContain(message);
  });
});
