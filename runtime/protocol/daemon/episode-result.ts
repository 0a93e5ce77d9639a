// The result of one finished episode of a collection: its outcome, and the cost of its turns.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count } from './schemas.ts';
import { ENDINGS } from './trajectories.ts';

/** The most episodes of one reply. */
export const MAX_RESULTS = 1000;

export const failureCounts = z.record(z.string(), z.int().min(1));

export const episodeResult = z.strictObject({
  trajectory: z.string(),
  task: z.string(),
  seed: count,
  outcome: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('judged'),
      success: z.boolean(),
      score: z.number().min(0).max(1),
      ending: z.enum(ENDINGS),
    }),
    /** The infrastructure failed on every attempt: no verdict on the agent. */
    z.strictObject({
      kind: z.literal('broken'),
      boundary: z.enum(['environment', 'policy', 'task', 'provider']),
      message: z.string(),
    }),
  ]),
  /** Actions. */
  steps: count,
  /** Replies of the policy; one reply may contain several actions. */
  turns: count,
  /** Replies without an action that can be performed. */
  malformed: count,
  /** Replies that were cut at the token limit. */
  truncated: count,
  /** Sums over the turns; absent if the server reports none, or without prices. */
  promptTokens: count.exactOptional(),
  completionTokens: count.exactOptional(),
  cost: z.number().min(0).exactOptional(),
  /** The sum over the turns in milliseconds; absent for an agent without servers. */
  latencyMs: z.number().min(0).exactOptional(),
  /** Failed requests that were sent again, by cause. */
  retries: failureCounts,
  durationMs: z.number().min(0),
});

export type EpisodeResult = z.infer<typeof episodeResult>;
