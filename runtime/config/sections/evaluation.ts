// How often a run is evaluated, and on how many instances.

import * as z from 'zod';
import { counts } from './descriptions.ts';

export const evaluation = z
  .strictObject({
    everySeconds: z
      .number()
      .min(1)
      .max(86_400)
      .describe(
        'Seconds between two evaluations. Default: a twentieth of the run, between 3 and 60 seconds; on desktops of the kind `web` a fifteenth, between 15 and 600; of the kind `docker` a tenth, between 60 and 600; of the kind `guest` a fifth, between 600 and 3,600; of the kind `offline` a fifteenth, between 15 and 600.',
      ),
    instances: counts(1, 10_000).describe(
      'Instances of each task per evaluation. Default: 4, or 2 on desktops of the kind `web` and 1 of the kinds `docker`, `guest` and `offline`.',
    ),
    lastInstances: counts(1, 10_000).describe(
      'Instances of each task in the final evaluation. Default: 20, or 10 on desktops of the kind `web`, 4 of the kind `docker` and 1 of the kinds `guest` and `offline`.',
    ),
    desktops: counts(1, 10_000).describe(
      'Desktops of evaluations, in addition to those of training. Default: as many, or half as many of the kinds `docker`, `web` and `offline`, or 1 of the kind `guest`.',
    ),
  })
  .describe('How often the policy is evaluated, and on how many instances.');
