// What of that which was played is trained on, and what is kept.

import * as z from 'zod';
import { counts } from './descriptions.ts';

export const data = z
  .strictObject({
    stalenessVersions: counts(0, 1000).describe(
      'So many versions may lie between the weights that chose a step and those for which its batch is made. Batches that wait for the trainer get older still: `off_policy/max` tells how old.',
    ),
    trajectoriesPerVersion: counts(2, 10_000).describe(
      'Trajectories of an update. Rollouts are paced by it.',
    ),
    stepsPerBatch: counts(1, 100_000).describe(
      'A batch with so many steps is full, however few trajectories they belong to. By default fewer on real desktops, which are slow.',
    ),
    batchesAhead: counts(1, 1000).describe('Batches that wait for the trainer, at most.'),
    ahead: counts(1, 10_000).describe(
      'Orders that wait for a desktop, at most. By default as many as there are desktops.',
    ),
    rollouts: counts(2, 256).describe('Rollouts of a group, at most; tasks that succeed surely get fewer.'),
    retention: z
      .strictObject({
        mostMegabytes: counts(1, 10_000_000).describe(
          'Room on disk for the trajectories of all runs. What is least worth goes first; what somebody marked, and the pool, stay.',
        ),
        mostTrajectories: counts(1, 100_000_000).describe(
          "How many of them are kept, at most. Each takes a kilobyte of the daemon's memory.",
        ),
      })
      .describe('Which trajectories stay on disk.'),
  })
  .describe('What is worth training on, and what is kept.');
