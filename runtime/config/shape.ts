// What can be set of a run: each setting with what it is for and what is allowed; each section has a file of its own. Defaults are in
// presets.ts and kinds.ts; how a file and options become one whole configuration, in config.ts.

import * as z from 'zod';
import { MODES } from '../core/policy.ts';
import { MAX_RUN_MINUTES } from '../protocol/daemon/state.ts';
import { curation } from './sections/curation.ts';
import { data } from './sections/data.ts';
import { counts } from './sections/descriptions.ts';
import { environments } from './sections/environments.ts';
import { evaluation } from './sections/evaluation.ts';
import { exploring } from './sections/exploring.ts';
import { rollout } from './sections/rollout.ts';
import { files, tasks, tiers } from './sections/suite.ts';
import { trainer } from './sections/trainer.ts';

const run = {
  mode: z
    .enum(MODES)
    .describe('What the policy sees: the screenshot, the elements of the accessibility tree, or both.'),
  seed: z
    .string()
    .max(100)
    .regex(/^(?!\s*$)\P{Cc}+$/u)
    .meta({ patternErrorMessage: 'a text of 1 to 100 characters on one line, not blank' })
    .describe('Where all chance of the run comes from.'),
  minutes: z.number().gt(0).max(MAX_RUN_MINUTES).describe('How long it trains, in all.'),
  demonstrations: counts(0, 32).describe(
    'Scripted solutions of each task that it is shown first. Where no preset is named, any of them choose `taught`.',
  ),
};

export const PRESETS = ['scratch', 'taught'] as const;
export type Preset = (typeof PRESETS)[number];
const preset = z
  .enum(PRESETS)
  .describe(
    'The recipe that all other defaults come from: `scratch` finds out all by itself, `taught` begins with demonstrations. By default `taught` where there are demonstrations, and on desktops of the kind `docker`; else `scratch`.',
  );

const sections = { environments, rollout, exploring, data, curation, trainer, evaluation };

/** A configuration in which nothing is left open. */
export const whole = z.strictObject({
  suite: z.union([
    z.strictObject({ tiers, files: files.exactOptional() }),
    z.strictObject({ tasks, files: files.exactOptional() }),
  ]),
  ...run,
  preset,
  ...sections,
});

/** What a file may say: all or nothing of it. */
export const partial = z
  .strictObject({
    $schema: z.string().optional().describe('The schema of this file, for editors.'),
    suite: z
      .strictObject({ tiers: tiers.optional(), tasks: tasks.optional(), files: files.optional() })
      .refine(said => said.tiers === undefined || said.tasks === undefined, {
        path: ['tasks'],
        message:
          "'suite.tasks' names the tasks and 'suite.tiers' would have no effect beside it; remove one of them.",
      })
      .meta({ not: { required: ['tiers', 'tasks'] } })
      .optional()
      .describe('Which tasks are trained on.'),
    ...loose(z.strictObject({ ...run, preset, ...sections })).shape,
  })
  .describe('A training run of Dartboard.');

/** The same shape, of which everything may be missing. */
function loose(object: z.ZodObject): z.ZodObject {
  const shape = Object.entries(object.shape).map(([name, type]) => {
    const inner = type instanceof z.ZodObject ? loose(type) : type;
    return [name, z.optional(inner)] as const;
  });
  return z.strictObject(Object.fromEntries(shape)).meta(object.meta() ?? {});
}
