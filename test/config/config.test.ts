// A file and options resolve to one complete configuration: each given setting takes effect, or it is an error.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig, type ResolvedConfig, resolve } from '../../runtime/config/config.ts';
import { settingsFromText } from '../../runtime/config/config-file.ts';
import { leavesOf, pathText, valueAt } from '../../runtime/config/leaves.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { listGivenSettings, printConfig } from '../../runtime/config/print.ts';
import { SCRATCH, TAUGHT } from '../../runtime/config/recipe.ts';
import { ConfigError, NO_SETTINGS, settingsFromOptions } from '../../runtime/config/settings.ts';
import { trainingRecipe } from '../../runtime/config/training-recipe.ts';
import { settings } from './config-text.ts';
import { config, file, refused } from './resolve-settings.ts';

/** Undefined where it is refused, as it may be. */
function tried(attempt: () => ResolvedConfig): ResolvedConfig | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

describe('laws', () => {
  test('each given setting takes effect or is rejected', () => {
    let accepted = 0;
    fc.assert(
      fc.property(settings, said => {
        const resolved = tried(() => resolve(file(said)));
        if (resolved === undefined) return;
        accepted += 1;
        for (const { path, value } of leavesOf(said)) {
          expect(valueAt(resolved.config, path)).toEqual(value);
          expect(resolved.sources[pathText(path)]).toBe('file');
        }
      }),
      { numRuns: 150 },
    );

    expect(accepted).toBeGreaterThan(5);
  });

  test('the printed configuration is a file that gives the same run', () => {
    fc.assert(
      fc.property(settings, said => {
        const resolved = tried(() => resolve(file(said)));
        if (resolved === undefined) return;
        expect(resolve(settingsFromText(printConfig(resolved), 'again')).config).toEqual(resolved.config);
      }),
      { numRuns: 60 },
    );
  });

  test('options override single settings of the file', () => {
    fc.assert(
      fc.property(settings, settings, (inFile, byOptions) => {
        const options =
          tried(() => resolve(settingsFromOptions(byOptions))) && settingsFromOptions(byOptions);
        const both = options && tried(() => resolve(file(inFile), options));
        if (both === undefined) return;
        for (const { path, value } of leavesOf(byOptions)) {
          expect(valueAt(both.config, path)).toEqual(value);
          expect(both.sources[pathText(path)]).toBe('option');
        }
      }),
      { numRuns: 60 },
    );
  });

  test('every setting has a source, and the order of settings is fixed', () => {
    const usual = Object.keys(resolve(NO_SETTINGS).sources);
    const other = resolve(file({ trainer: { cooling: 0.5 }, minutes: 1, mode: 'a11y_tree' }));
    expect(Object.keys(other.sources)).toEqual(usual);
    expect(leavesOf(other.config).map(({ path }) => pathText(path))).toEqual(usual);
  });
});

describe('defaults', () => {
  test('without a file, a run trains tier 1 for five minutes from scratch', () => {
    const { config, sources } = resolve(NO_SETTINGS);
    expect(config).toEqual(defaults({}));
    expect(config).toMatchObject({ suite: { tiers: [1] }, minutes: 5, demonstrations: 0, preset: 'scratch' });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
  });

  test.each([
    ['scratch', SCRATCH],
    ['taught', TAUGHT],
  ])('the preset %s is its recipe', (preset, recipe) => {
    const { trainer, exploring, rollout, environments, data } = config({ preset });
    expect(trainer).toEqual(recipe.trainer);
    expect(exploring).toEqual(recipe.exploring);
    expect(rollout).toMatchObject(recipe.drawing);
    expect(environments.desktops).toBe(recipe.desktops);
    expect(data).toMatchObject({ rollouts: recipe.rollouts, stepsPerBatch: recipe.stepsPerBatch });
  });

  test.each([
    ['scratch', SCRATCH],
    ['taught', TAUGHT],
  ])('the trainer learns as the preset %s says', (preset, { trainer }) => {
    const learns = trainingRecipe(config({ preset, minutes: 2 }));
    const { learningRate, warmupUpdates, clipNorm, publishSeconds, checkpointMinutes, ...same } = trainer;
    expect(learns).toMatchObject(same);
    expect(learns.optimiser).toEqual({
      learningRate: { peak: learningRate, fed: true },
      clipNorm,
    });
    expect(learns).toMatchObject({ seconds: 120, warmupUpdates, publishSeconds });
    expect(learns.checkpointSeconds).toBe(60 * checkpointMinutes);
  });

  test('configurations of clients and saved files are validated and completed', () => {
    expect(parseConfig({ minutes: 7 })).toEqual(config({ minutes: 7 }));
    expect(refused(() => parseConfig({ minuts: 7 }))).toBe(
      "minuts: The setting 'minuts' does not exist. Did you mean 'minutes'?",
    );
  });

  test('demonstrations select the preset taught, and that preset sets their number', () => {
    expect(config({ demonstrations: 2 })).toMatchObject({ preset: 'taught', demonstrations: 2 });
    expect(config({ preset: 'taught' }).demonstrations).toBe(5);
    expect(config({ demonstrations: 2, preset: 'scratch' }).preset).toBe('scratch');
  });

  test('exploration takes a quarter of a short run; 20 evaluations fit into a run', () => {
    expect(config({ minutes: 1 }).exploring.firstSeconds).toBe(15);
    expect(config({ minutes: 0.5 }).evaluation.everySeconds).toBe(3);
    expect(config({ minutes: 10 }).evaluation.everySeconds).toBe(30);
    expect(config({ minutes: 600 }).evaluation.everySeconds).toBe(60);
  });

  test('a run on pixels replaces no names', () => {
    expect(config({ mode: 'screenshot' }).trainer.renaming).toBe(0);
  });

  test('tasks replace tiers, in a file and on the command line', () => {
    expect(config({ suite: { tasks: ['mail-star'] } }).suite).toEqual({ tasks: ['mail-star'] });
    const options = settingsFromOptions({ suite: { tiers: [2] } });
    const { config: both } = resolve(file({ suite: { tasks: ['mail-star'], files: 'mine' } }), options);
    expect(both.suite).toEqual({ tiers: [2], files: 'mine' });
  });
});

describe('curation', () => {
  const PARTS = ['successPool', 'rolloutNumber', 'revisits', 'length', 'highEntropy', 'alignment'] as const;
  const on = (curation: unknown) => PARTS.filter(part => config({ curation }).curation[part]);

  test('is all of DART by default, with both presets', () => {
    for (const preset of ['scratch', 'taught'])
      expect(config({ preset }).curation).toEqual({ ...config({}).curation, preset: 'dart' });
    expect(on({})).toEqual(PARTS);
    expect(on({ preset: 'grpo' })).toEqual([]);
  });

  test.each([
    ['no-success-pool', 'successPool'],
    ['no-rollout-number', 'rolloutNumber'],
    ['no-revisits', 'revisits'],
    ['no-length', 'length'],
    ['no-high-entropy', 'highEntropy'],
    ['no-alignment', 'alignment'],
  ])('%s is all of it without that part', (preset, part) => {
    expect(on({ preset })).toEqual(PARTS.filter(each => each !== part));
  });

  test('a single part overrides the curation preset, and an option overrides the file', () => {
    expect(on({ preset: 'grpo', length: true })).toEqual(['length']);
    expect(on({ length: false })).toEqual(PARTS.filter(part => part !== 'length'));
    const option = settingsFromOptions({ curation: { preset: 'grpo' } });
    expect(
      resolve(file({ curation: { preset: 'dart', length: true } }), option).config.curation,
    ).toMatchObject({
      preset: 'grpo',
      ...{ length: true, revisits: false },
    });
  });

  test('changes only the curation settings of the trainer', () => {
    const learns = (curation: unknown) => trainingRecipe(config({ curation }));
    const dart = learns({});
    expect(dart).toMatchObject({ highEntropy: true, objective: { truncation: 1 } });
    expect(learns({ preset: 'no-high-entropy' })).toEqual({ ...dart, highEntropy: false });
    const unaligned = { ...dart, objective: { ...dart.objective, truncation: 0 } };
    expect(learns({ preset: 'no-alignment' })).toEqual(unaligned);
    expect(learns({ preset: 'grpo' })).toEqual({ ...unaligned, highEntropy: false });
    expect(learns({ preset: 'no-length' })).toEqual(dart);
  });
});

describe('conflicting settings are rejected with their position', () => {
  test.each([
    [{ suite: { tiers: [1], tasks: ['a'] } }, "'suite.tasks' and 'suite.tiers' exclude each other"],
    [{ suite: { tiers: [1, 1] } }, 'Name each item once'],
    [
      { mode: 'screenshot', trainer: { renaming: 0.2 } },
      "'trainer.renaming' has no effect in the mode 'screenshot'",
    ],
    [{ preset: 'taught', demonstrations: 0 }, "The preset 'taught' needs demonstrations"],
    [{ demonstrations: 3, trainer: { shares: { demonstrations: 0 } } }, 'no demonstration is imitated'],
    [
      { rollout: { batch: 1, patienceMs: 2 } },
      "'rollout.patienceMs' has no effect while 'rollout.batch' is 1",
    ],
    [{ trainer: { cloneWeight: 0, shares: { beside: 9 } } }, "'trainer.shares.beside' has no effect while"],
    [
      { trainer: { policyWeight: 0, objective: { clipLow: 0.9 } } },
      "'trainer.objective.clipLow' has no effect",
    ],
    [
      { trainer: { policyWeight: 0, cloneWeight: 0 } },
      "'trainer.policyWeight' and 'trainer.cloneWeight' are 0, so nothing trains",
    ],
    [
      {
        trainer: {
          policyWeight: 0,
          shares: { hindsight: 0, beside: 0, successes: 0, demonstrations: 0, grounding: 0 },
        },
      },
      "'trainer.policyWeight' and all 'trainer.shares' are 0, so nothing trains",
    ],
    [
      { trainer: { policyWeight: 0, pulse: { policy: 9 } } },
      "'trainer.policyWeight' is 0, but 'trainer.pulse.policy' is 9",
    ],
    [
      { recipe: 'digi-rl', trainer: { passes: { successes: 5 } } },
      "'trainer.passes.successes' has no effect while 'trainer.shares.successes' is 0",
    ],
    [
      { trainer: { shares: { hindsight: 0 }, passes: { hindsight: 5 } } },
      "'trainer.passes.hindsight' has no effect while 'trainer.shares.hindsight' is 0",
    ],
    [{ trainer: { objective: { entropyWeight: 0, entropyFloor: 0.9 } } }, 'turns the floor off'],
    [{ minutes: 1, exploring: { firstSeconds: 60 } }, 'as long as the run'],
    [
      { environments: { kind: 'docker', docker: { image: 'large', screen: '640x480' } } },
      "'environments.docker.screen' is '640x480', but windows of the image 'large' do not fit",
    ],
    [{ data: { trajectoriesAhead: 3 } }, "is 3, below 'data.trajectoriesPerBatch' (32)"],
    [
      { curation: { length: false, lengthMargin: 2 } },
      "'curation.lengthMargin' has no effect while 'curation.length' is false",
    ],
    [{ curation: { preset: 'grpo', lengthFloor: 9 } }, "'curation.lengthFloor' has no effect"],
    [
      { curation: { alignment: false }, trainer: { objective: { truncation: 2 } } },
      "'trainer.objective.truncation' has no effect while 'curation.alignment' is false",
    ],
    [
      { curation: { preset: 'grpo', highEntropy: true }, trainer: { policyWeight: 0 } },
      "'curation.highEntropy' has no effect while 'trainer.policyWeight' is 0",
    ],
  ])('%j', (value, message) => {
    const why = refused(() => resolve(file(value)));
    expect(why).toContain(message);
    expect(why).toMatch(/^dartboard\.json:\d+:\d+: /);
  });

  test('a setting without effect may repeat its default', () => {
    expect(config({ mode: 'screenshot', trainer: { renaming: 0 } }).trainer.renaming).toBe(0);
  });

  test('a sort of lessons with the share 0 may have 0 passes', () => {
    const trainer = { shares: { successes: 0 }, passes: { successes: 0 } };
    expect(config({ trainer }).trainer.passes.successes).toBe(0);
  });

  test('an error about an option names the option', () => {
    const options = settingsFromOptions({ demonstrations: 0 });
    expect(refused(() => resolve(file({ preset: 'taught' }), options))).toMatch(/^--demonstrations: /);
  });

  test('a setting without effect for two reasons is reported once', () => {
    const lessons = { cloneWeight: 0, shares: { successes: 0 }, passes: { successes: 5 } };
    const lines = refused(() => config({ trainer: lessons })).split('\n');
    expect(lines.filter(line => line.includes("'trainer.passes.successes' has no effect"))).toHaveLength(1);
  });

  test('all problems are reported at once, one line each', () => {
    const value = { mode: 'screenshot', trainer: { renaming: 0.2 }, rollout: { batch: 1, patienceMs: 3 } };
    expect(refused(() => resolve(file(value))).split('\n')).toHaveLength(2);
  });
});

describe('a dry run', () => {
  test('prints the whole configuration as readable JSON', () => {
    const resolved = resolve(
      file({ minutes: 20, suite: { tiers: [1, 2] } }),
      settingsFromOptions({ seed: 'seven' }),
    );
    expect(printConfig(resolved).split('\n').slice(0, 10)).toEqual([
      '{',
      '  "suite": {',
      '    "tiers": [1, 2]',
      '  },',
      '  "mode": "screenshot_a11y_tree",',
      '  "seed": "seven",',
      '  "minutes": 20,',
      '  "demonstrations": 0,',
      '  "preset": "scratch",',
      '  "recipe": "dart",',
    ]);
  });

  test('lists given settings with their source', () => {
    const resolved = resolve(
      file({ minutes: 20, data: { rollouts: 4 } }),
      settingsFromOptions({ seed: 'seven' }),
    );
    expect(listGivenSettings(resolved, 'dartboard.json')).toEqual([
      "Settings that were given; all others are defaults of the preset 'scratch':",
      '  seed           "seven"  command line',
      '  minutes        20       dartboard.json',
      '  data.rollouts  4        dartboard.json',
    ]);
    expect(listGivenSettings(resolve(NO_SETTINGS), 'x')).toEqual([
      "All settings are defaults of the preset 'scratch'.",
    ]);
  });
});

test('Docker desktops are replaced after a number of episodes, too', () => {
  const { environments } = parseConfig({
    environments: { kind: 'docker', mostEpisodes: 3, mostAgeMinutes: 5 },
  });
  expect(environments).toMatchObject({ mostEpisodes: 3, mostAgeMinutes: 5 });
});
