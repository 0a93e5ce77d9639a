// The schema of a run's configuration: each setting with its purpose and its bounds. Each section has a file. presets.ts and kinds.ts
// have the defaults; config.ts merges files, options and defaults.

import * as z from 'zod';
import { MODES } from '../core/policy.ts';
import { MAX_RUN_MINUTES } from '../protocol/daemon/state.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { agentName, agents } from './sections/agents.ts';
import { curation } from './sections/curation.ts';
import { data } from './sections/data.ts';
import { counts } from './sections/descriptions.ts';
import { environments } from './sections/environments.ts';
import { evaluation } from './sections/evaluation.ts';
import { exploring } from './sections/exploring.ts';
import { fabric } from './sections/fabric.ts';
import { index } from './sections/index-place.ts';
import { rollout } from './sections/rollout.ts';
import { files, phrasings, tasks, tiers } from './sections/suite.ts';
import { trainer } from './sections/trainer.ts';

const run = {
  mode: z
    .enum(MODES)
    .describe(
      'The observation of the policy: the screenshot, the accessibility tree, or both. Default: that of the agent if it replies in tokens, `screenshot` for stored trajectories, otherwise both.',
    ),
  seed: z
    .string()
    .max(100)
    .regex(/^(?!\s*$)\P{Cc}+$/u)
    .meta({ patternErrorMessage: 'a string of 1 to 100 characters on one line, not blank' })
    .describe('The seed of all random numbers of the run.'),
  minutes: z.number().gt(0).max(MAX_RUN_MINUTES).describe('Total training time in minutes.'),
  demonstrations: counts(0, 32).describe(
    'Scripted solutions per task that the policy imitates first. With 1 or more, the default preset is `taught`.',
  ),
};

/** DART, and methods of related systems. */
export const RECIPES = [
  'dart',
  'grpo',
  'dapo',
  'gspo',
  'c3po',
  'computer-rl',
  'mobile-rl',
  'mobile-r1',
  'craft-gui',
  'ui-s1',
  'digi-rl',
  'ui-tars-2',
] as const;
export type RecipeName = (typeof RECIPES)[number];

export const PRESETS = ['scratch', 'taught', 'dart-7b'] as const;
export type Preset = (typeof PRESETS)[number];
const preset = z
  .enum(PRESETS)
  .describe(
    'The source of all other defaults: `scratch` starts without demonstrations, `taught` with them, `dart-7b` has the constants of the paper for a pretrained model. Default: `dart-7b` for an agent of `agents`, `taught` with demonstrations and for desktops of the kinds `docker` and `offline`, otherwise `scratch`.',
  );

const recipe = z
  .enum(RECIPES)
  .describe(
    'The published method whose settings are the defaults of this run, over those of `preset`. Default: `dart`. docs/recipes.md compares them.',
  );

const sections = { environments, rollout, exploring, data, curation, trainer, evaluation, fabric, index };

/** A configuration with a value for every setting. */
export const completeConfig = z.strictObject({
  suite: z.union([
    z.strictObject({ tiers, files: files.exactOptional(), phrasings: phrasings.exactOptional() }),
    z.strictObject({ tasks, files: files.exactOptional(), phrasings: phrasings.exactOptional() }),
  ]),
  ...run,
  preset,
  recipe,
  ...sections,
  agent: agentName,
  // A tree of leaves has no empty sections.
  agents: agents.default({}),
});

export type Config = DeepReadonly<z.infer<typeof completeConfig>>;

/** The schema of a file: every setting is optional. */
export const partialConfig = z
  .strictObject({
    $schema: z.string().optional().describe('The schema of this file, for editors.'),
    suite: z
      .strictObject({
        ...{ tiers: tiers.optional(), tasks: tasks.optional(), files: files.optional() },
        phrasings: phrasings.optional(),
      })
      .refine(suite => suite.tiers === undefined || suite.tasks === undefined, {
        path: ['tasks'],
        message: "'suite.tasks' and 'suite.tiers' exclude each other. Remove one of them.",
      })
      .meta({ not: { required: ['tiers', 'tasks'] } })
      .optional()
      .describe('The tasks of the run.'),
    ...deepPartial(z.strictObject({ ...run, preset, recipe, ...sections, agent: agentName, agents })).shape,
  })
  .describe('A training run of Dartboard.');

/** The same object with every property optional, at every level. */
function deepPartial(object: z.ZodObject): z.ZodObject {
  const shape = Object.entries(object.shape).map(([name, type]) => {
    const inner = type instanceof z.ZodObject ? deepPartial(type) : type;
    return [name, z.optional(inner)] as const;
  });
  return z.strictObject(Object.fromEntries(shape)).meta(object.meta() ?? {});
}
