// The messages of the Tinker protocol (SDK 0.38) that are JSON alone, in its own spelling: requests as a server reads them, and replies as
// a client reads them. Unknown fields are ignored on both sides.

import * as z from 'zod';
import { modelInputSchema } from './json.ts';

const text = z.string().min(1);
const metadata = z.record(z.string(), z.unknown()).nullish();
const sequence = z.int().min(0).nullish();
/** Not `z.int()`, which rejects seeds of 64 bits. */
const seed = z.number().refine(Number.isInteger, 'use an integer').nullish();

export const createSessionRequest = z.object({
  tags: z.array(z.string()).default([]),
  user_metadata: metadata,
  sdk_version: z.string(),
});

export const sessionHeartbeatRequest = z.object({ session_id: text });

export const createModelRequest = z.object({
  session_id: text,
  /** Counts the models of a session. An equal request with an equal number is the same model. */
  model_seq_id: sequence,
  base_model: text,
  /** Absent, or rank 0: all weights are trained. */
  lora_config: z.object({ rank: z.int().min(0), seed }).nullish(),
});

const unit = z.number().min(0).lt(1);

export const adamParams = z.object({
  learning_rate: z.number().min(0).default(1e-4),
  beta1: unit.default(0.9),
  beta2: unit.default(0.95),
  eps: z.number().positive().default(1e-12),
  weight_decay: z.number().min(0).default(0),
  /** 0: no limit. */
  grad_clip_norm: z.number().min(0).default(0),
});

export const optimStepRequest = z.object({ model_id: text, seq_id: sequence, adam_params: adamParams });

/** The path is a name; the reply has the full path. */
export const saveWeightsRequest = z.object({
  model_id: text,
  seq_id: sequence,
  path: text.nullish(),
  overwrite: z.boolean().default(false),
});

/** With a path: persistent. Without: for one sampling session. */
export const saveWeightsForSamplerRequest = z.object({
  model_id: text,
  seq_id: sequence,
  path: text.nullish(),
  sampling_session_seq_id: sequence,
});

/** With `model_id`: the first request to a new model. With `session_id`: makes the model too. */
export const loadWeightsRequest = z.object({
  model_id: text.nullish(),
  seq_id: sequence,
  session_id: text.nullish(),
  model_seq_id: sequence,
  base_model: text.nullish(),
  path: text,
  optimizer: z.boolean().default(true),
});

/** Exactly one of `base_model` and `model_path`. */
export const createSamplingSessionRequest = z.object({
  session_id: text,
  sampling_session_seq_id: z.int().min(0),
  base_model: text.nullish(),
  model_path: text.nullish(),
});

export const samplingParams = z.object({
  max_tokens: z.int().min(1).nullish(),
  seed,
  stop: z.union([z.string(), z.array(z.string()), z.array(z.int())]).nullish(),
  temperature: z.number().min(0).default(1),
  top_k: z.int().default(-1),
  top_p: z.number().default(1),
});

/** From a sampling session, a base model, or a path of weights. */
export const sampleRequest = z.object({
  num_samples: z.int().min(1).default(1),
  prompt: modelInputSchema,
  sampling_params: samplingParams,
  base_model: text.nullish(),
  model_path: text.nullish(),
  sampling_session_id: text.nullish(),
  seq_id: sequence,
  prompt_logprobs: z.boolean().nullish(),
  topk_prompt_logprobs: z.int().min(0).default(0),
  topk_sample_logprobs: z.int().min(0).default(0),
});

export const retrieveFutureRequest = z.object({ request_id: z.string() });

/** Of requests that name a model alone: `/unload_model`, `/get_info`. */
export const modelRequest = z.object({ model_id: text });

export const createSessionReply = z.object({ session_id: text });

/** Where the result of a request will be. */
export const futureReply = z.object({ request_id: z.union([text, z.int().transform(String)]) });

export const createModelReply = z.object({ model_id: text });

const metrics = z.record(z.string(), z.number().nullable()).nullish();

export const optimStepReply = z.object({ metrics });

export const savedReply = z.object({ path: text });

export const doneReply = z.object({});

export const capabilitiesReply = z.object({
  supported_models: z.array(
    z.object({ model_name: z.string().nullish(), max_context_length: z.int().nullish() }),
  ),
});

/** The request is still in work, or waits in a queue: then its state is not `active`. With status 408. */
export const queueReply = z.object({
  queue_state: z.string().nullish(),
  queue_state_reason: z.string().nullish(),
});

export type QueueReply = z.infer<typeof queueReply>;

/** The same with status 200. */
export const tryAgainReply = queueReply.extend({ type: z.literal('try_again') });

/** The request was handled, and failed. */
export const failedReply = z.object({ error: z.string(), category: z.string().nullish() });
