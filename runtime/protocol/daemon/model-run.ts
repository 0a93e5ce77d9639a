// What a run with a model agent shows besides: its learner, its servers, and its cost. Runs of the built-in policy have none of it.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';

const count = z.int().min(0);
const amount = z.number().min(0);

export const learnerState = z.strictObject({
  kind: z.enum(['in-process', 'tinker', 'file']),
  /** Where the weights are: a URL, a folder or a file. */
  place: z.string(),
  model: z.string(),
  /** Optimiser steps of its weights so far. */
  step: count,
  /** Of the last optimiser step; absent before the first. */
  stepSeconds: amount.optional(),
  /** Batches that wait for it. */
  batches: count,
  /** Why it does not train at the moment; absent while it trains. */
  problem: z.string().optional(),
});

export const serverState = z.strictObject({
  name: z.string(),
  /** draining: finishes its requests. updating: loads weights. failed: gets single requests. out: gets none. */
  phase: z.enum(['serving', 'draining', 'updating', 'failed', 'out']),
  /** The optimiser steps of its weights, if they are known. */
  version: count.optional(),
  /** The name of its model in new requests. */
  model: z.string().optional(),
  inFlight: count,
  replies: count,
  /** The mean over its replies; absent before the first. */
  latencyMs: amount.optional(),
  /** Why it is failed or out, or why it does not load new weights. */
  problem: z.string().optional(),
});

const cost = z.strictObject({
  /** Of prompts and replies together. */
  tokens: amount,
  /** Seconds of the hardware that trained; absent if the learner does not report them. */
  hardwareSeconds: amount.optional(),
  /** In the currency of the configured prices; absent without prices. */
  money: amount.optional(),
});

export const spentState = z.strictObject({
  promptTokens: count,
  completionTokens: count,
  hardwareSeconds: cost.shape.hardwareSeconds,
  money: cost.shape.money,
  /** The part of `money` for the tokens that trained; absent without a price of training, and in files of earlier versions. */
  learnerMoney: amount.exactOptional(),
  /** Training rollouts that succeeded. */
  successes: count,
  /** Percentage points of test success between the first and the last evaluation; absent before the second. */
  points: z.number().min(-100).max(100).optional(),
  /** The whole cost divided by `successes`; absent without a success. */
  perSuccess: cost.optional(),
  /** The whole cost divided by `points`; absent where nothing was gained. */
  perPoint: cost.optional(),
});

export type RunLearnerState = z.infer<typeof learnerState>;
export type RunServerState = z.infer<typeof serverState>;
export type SpentState = z.infer<typeof spentState>;
export type Cost = z.infer<typeof cost>;
