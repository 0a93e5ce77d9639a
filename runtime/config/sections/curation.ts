// Adaptive curation: one switch for each part.

import * as z from 'zod';
import { counts } from './descriptions.ts';

/** All of DART, none of it, and all but one part. */
export const CURATIONS = [
  'dart',
  'grpo',
  'no-success-pool',
  'no-rollout-number',
  'no-revisits',
  'no-length',
  'no-high-entropy',
  'no-alignment',
] as const;
export type CurationPreset = (typeof CURATIONS)[number];

const part = (what: string) => z.boolean().describe(`${what} Default: from the preset of curation.`);

export const curation = z
  .strictObject({
    preset: z
      .enum(CURATIONS)
      .describe(
        'The source of the defaults of the parts: `dart` turns all of them on, `grpo` turns all off, and the others turn off the part in their name. Default: `dart`, or `grpo` with a `recipe` other than `dart`.',
      ),
    successPool: part('Adds a stored success of the same instance to a group whose rollouts all failed.'),
    rolloutNumber: part('Gives tasks with a high success rate fewer rollouts.'),
    revisits: part('Plays a task whose outcome no longer changes in one round of four.'),
    patience: counts(0, 100_000).describe(
      'A task that never succeeds is played in every round for so many rollouts, before `revisits` applies to it. Default: 0, or 256 on desktops of the kind `web`.',
    ),
    length: part('Caps episodes slightly above the length of the longest recent success of their task.'),
    lengthMargin: z
      .number()
      .min(1)
      .max(10)
      .describe('The cap is this factor times the longest recent success, and at least one step more.'),
    lengthFloor: counts(1, 1000).describe('The lowest cap, in steps.'),
    coolDown: z
      .boolean()
      .describe(
        'Plays a task whose rollouts all failed in two rounds seldom for three rounds, and then not any more, as in MobileRL. No preset of curation turns it on. Default: false, or true with the recipe `mobile-rl`.',
      ),
    stages: counts(1, 20).describe(
      'Tasks train in so many stages of growing step limits; the next stage opens when the tasks of the last one succeed 60 % of the time, as in CRAFT-GUI. 1 trains all tasks from the start. Default: 1, or 3 with the recipe `craft-gui`.',
    ),
    highEntropy: part('Trains only uncertain steps: the fifth of a group with the lowest entropy is masked.'),
    alignment: part(
      'Corrects for stale policies by importance weights, which `trainer.objective.truncation` bounds.',
    ),
  })
  .describe(
    'Adaptive data curation: which tasks are played, how often and for how long, and which steps train.',
  );
