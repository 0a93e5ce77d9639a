// How the trainer learns.

import * as z from 'zod';
import { MAX_RUN_MINUTES } from '../../protocol/daemon/state.ts';
import { counts, share, weight } from './descriptions.ts';

const passes = (step: string) =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .describe(`${step}. By default as good as without end, but not on real desktops.`);

export const trainer = z
  .strictObject({
    learningRate: z
      .number()
      .gt(0)
      .max(1)
      .describe('The step size of the optimiser, once it is warm. By default smaller on real desktops.'),
    warmupUpdates: counts(0, 1_000_000).describe(
      'Updates in which the learning rate rises to its full size.',
    ),
    cooling: share.describe('What is left of the learning rate at the end.'),
    clipNorm: z.number().gt(0).max(1e6).describe('A gradient that is longer is shortened to this.'),
    batch: counts(1, 4096).describe('Rows of an update while there are no groups.'),
    replay: counts(0, 4096).describe('Rows that are imitated beside those of groups.'),
    policyRows: counts(1, 4096).describe('Steps of groups that an update takes, at most.'),
    policyWeight: weight.describe('What the steps of groups weigh in an update, all together.'),
    cloneWeight: weight.describe('What those that are imitated weigh, all together.'),
    renaming: share.describe(
      'The share of imitated rows in which names are replaced by others. By default more on real desktops, and none in the mode `screenshot`, where they cannot be.',
    ),
    shares: z
      .strictObject({
        hindsight: weight.describe('What it did by chance, or in a failed rollout, and a task asks for.'),
        beside: weight.describe('What it did and no task asks for.'),
        successes: weight.describe('Its own successful rollouts.'),
        demonstrations: weight.describe('Demonstrations of scripts and persons.'),
        grounding: weight.describe('Single steps that name what they act on.'),
      })
      .describe('Of what is imitated, how much of each sort.'),
    passes: z
      .strictObject({
        hindsight: passes('A step of what it did by chance, or in a failed rollout'),
        beside: passes('A step of what no task asks for'),
        successes: passes('A step of its own successful rollouts'),
        demonstrations: passes('A step of a demonstration'),
        grounding: passes('A single step that names what it acts on'),
      })
      .describe(
        'How often a step of each sort is imitated while there are no groups to learn from, on average. After that the trainer waits for groups.',
      ),
    objective: z
      .strictObject({
        clipLow: share.describe('The policy ratio is clipped below 1 minus this.'),
        clipHigh: z.number().min(0).max(10).describe('The policy ratio is clipped above 1 plus this.'),
        dualClip: z
          .number()
          .min(1)
          .max(1000)
          .describe('For a step that is worse than average the loss grows no further than at this ratio.'),
        truncation: z.number().gt(0).max(1000).describe('The weight for staleness is cut off here.'),
        divergence: weight.describe(
          'How strongly the policy is held near to the weights that the run began with (β); 0 leaves it free. Of use where it begins with the weights of another run, and imitates little.',
        ),
        entropyFloor: share.describe('The entropy of each decision is held up to this share of the largest.'),
        entropyWeight: weight.describe('How strongly it is held up; 0 leaves it out.'),
      })
      .describe("DART's objective."),
    publishSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .describe(
        'Seconds between two versions of the weights, at least. By default more on real desktops, where episodes take longer.',
      ),
    checkpointMinutes: z
      .number()
      .gt(0)
      .max(MAX_RUN_MINUTES)
      .describe('Minutes between two checkpoints: as much is lost when the trainer breaks.'),
  })
  .describe('How the trainer learns.');
