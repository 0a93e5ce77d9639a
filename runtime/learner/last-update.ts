// The last update that a learner applied, as its files store it.

import * as z from 'zod';

export const lastUpdateSchema = z.object({
  id: z.string(),
  /** An `UpdateReport`. */
  report: z.object({
    step: z.int().min(0),
    loss: z.number().exactOptional(),
    clipped: z.number().exactOptional(),
    divergence: z.number().exactOptional(),
    gradientNorm: z.number().exactOptional(),
    hardwareSeconds: z.number().exactOptional(),
  }),
});

export type LastUpdate = z.infer<typeof lastUpdateSchema>;
