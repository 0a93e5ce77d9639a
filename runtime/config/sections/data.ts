// Which trajectories train, and which stay on disk.

import * as z from 'zod';
import { counts } from './descriptions.ts';

export const data = z
  .strictObject({
    stalenessUpdates: counts(0, 1_000_000).describe(
      'The most optimiser steps between the weights that chose a step and those for which its batch is made. Batches that wait for the trainer age further: see `off_policy/max`. Default: more on real desktops, where episodes take longer, and few for agents that reply in tokens.',
    ),
    trajectoriesPerBatch: counts(2, 10_000).describe('A batch with this many trajectories is full.'),
    trajectoriesAhead: counts(2, 100_000).describe(
      'The most trajectories that run or wait to be trained. Limits the pace of rollouts. Default: five batches.',
    ),
    stepsPerBatch: counts(1, 100_000).describe(
      'A batch with this many steps is full, even with fewer trajectories. Default: fewer on real desktops, which are slow, and more for agents that reply in tokens.',
    ),
    batchesAhead: counts(1, 1000).describe('The most batches that wait for the trainer.'),
    ahead: counts(1, 10_000).describe(
      'The most orders that wait for a desktop. Default: the number of desktops.',
    ),
    rollouts: counts(2, 256).describe(
      'The most rollouts of a group. Tasks with a high success rate get fewer.',
    ),
    retention: z
      .strictObject({
        mostMegabytes: counts(1, 10_000_000).describe(
          'Disk space for the trajectories of all runs, in megabytes. The least useful ones are deleted first. Annotated ones and those of the success pool stay.',
        ),
        mostTrajectories: counts(1, 100_000_000).describe(
          "The most trajectories on disk. Each takes a kilobyte of the daemon's memory.",
        ),
      })
      .describe('Which trajectories stay on disk.'),
  })
  .describe('Which trajectories train, and which stay on disk.');
