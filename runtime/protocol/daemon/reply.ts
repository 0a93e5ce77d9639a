// The reply of a language model that chose a step: its text, its tokens with their probabilities, and the server that answered.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { ENTROPY_ESTIMATORS } from '../../core/trace.ts';
import { count, share } from './schemas.ts';

const alternative = z.strictObject({ text: z.string(), probability: share });

const token = z.strictObject({
  /** As the server prints it; a part of a character is printed as U+FFFD. */
  text: z.string(),
  /** Absent, like the entropy, if the server does not report it. */
  probability: share.optional(),
  /** In nats, by the estimator of the reply. */
  entropy: z.number().optional(),
  /** Likeliest first. */
  alternatives: z.array(alternative).optional(),
});

const served = z.strictObject({
  /** Its name in dartboard.json, and its worker if it has several URLs. */
  endpoint: z.string(),
  model: z.string(),
  /** The version of the weights, as the server reports it. */
  reportedVersion: z.string().optional(),
  latencyMs: z.number().min(0),
  promptTokens: count.optional(),
  completionTokens: count.optional(),
  /** In the currency of the configured prices. */
  cost: z.number().min(0).optional(),
  /** The causes of the failed requests before this reply, in order. */
  retries: z.array(z.string()),
});

export const reply = z.strictObject({
  /** As the server sent it. */
  raw: z.string(),
  thought: z.string().optional(),
  /** Why the reply has no action that can be performed. */
  malformed: z.string().optional(),
  /** 'length': cut at the token limit. */
  finish: z.enum(['stop', 'length']),
  /** How the entropy was estimated. Values of different estimators are not comparable. */
  estimator: z.enum(ENTROPY_ESTIMATORS),
  /** What is wrong with the report of the server. */
  defects: z.array(z.string()),
  /** Empty if the server reports no tokens. */
  tokens: z.array(token),
  served,
  /** Why the step cannot train by RL; absent if it can. */
  refusal: z.string().optional(),
});

export type ReplyDetail = z.infer<typeof reply>;
