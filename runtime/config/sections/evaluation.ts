// How a run is measured.

import * as z from 'zod';
import { counts } from './descriptions.ts';

export const evaluation = z
  .strictObject({
    everySeconds: z
      .number()
      .min(1)
      .max(86_400)
      .describe(
        'Seconds between two measurements. By default a twentieth of the run, but 3 to 60 seconds; on desktops of the kind `docker` a tenth, but 60 to 600.',
      ),
    instances: counts(1, 10_000).describe(
      'Instances of each task that a measurement plays. By default 4, and 1 on desktops of the kind `docker`.',
    ),
    lastInstances: counts(1, 10_000).describe(
      'Instances of each task that the last one plays, when training is over. By default 20, and 4 on desktops of the kind `docker`.',
    ),
    desktops: counts(1, 10_000).describe(
      'Desktops that measurements run on, beside those of training. By default as many, and half as many of the kind `docker`.',
    ),
  })
  .describe('How often it is measured, and how exactly.');
