// Adaptive curation, part by part.

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

const part = (what: string) => z.boolean().describe(`${what} By default as the preset of curation has it.`);

export const curation = z
  .strictObject({
    preset: z
      .enum(CURATIONS)
      .describe(
        'Where the defaults of the parts come from: `dart` has all of them on, `grpo` all off, and the others all but the one that they name.',
      ),
    successPool: part('Whether a stored success of the same instance stands in where a whole group failed.'),
    rolloutNumber: part('Whether tasks that succeed surely get fewer rollouts.'),
    revisits: part('Whether a task whose outcome does not change any more is played one time in four.'),
    length: part(
      'Whether episodes are capped at a little more steps than the longest recent success of their task took.',
    ),
    lengthMargin: z
      .number()
      .min(1)
      .max(10)
      .describe('So many times the longest recent success is the cap, and one step more at least.'),
    lengthFloor: counts(1, 1000).describe('No cap is below so many steps.'),
    highEntropy: part('Whether only uncertain steps train: of each group all but the surest fifth.'),
    alignment: part(
      'Whether steps weigh less the less likely they have become since they were chosen; `trainer.objective.truncation` bounds it.',
    ),
  })
  .describe('Adaptive data curation: what is played how often and for how long, and what of it trains.');
