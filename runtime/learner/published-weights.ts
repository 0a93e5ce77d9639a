// Published weights of a language model as the bytes of the channel `weights`, which are opaque to everybody else.

import * as z from 'zod';
import { version as asVersion, type Version } from '../core/ids.ts';
import type { Weights } from '../core/policy.ts';
import type { PublishedWeights } from './learner.ts';

export const publishedWeights = z.strictObject({
  step: z.int().nonnegative(),
  path: z.string().min(1),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .exactOptional(),
});

export const encodePublished = (weights: PublishedWeights, version: Version): Weights => ({
  version,
  blob: new TextEncoder().encode(JSON.stringify(weights)),
});

/** Throws a ZodError or a SyntaxError for the weights of another kind of agent. */
export const decodePublished = ({
  version,
  blob,
}: Weights): PublishedWeights & { readonly version: Version } => ({
  ...publishedWeights.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(blob))),
  version: asVersion(version),
});
