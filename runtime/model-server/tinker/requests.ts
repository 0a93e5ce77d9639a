// The requests of the Tinker protocol with the fields that only a server reads, in addition to those of the client.

import * as z from 'zod';
import {
  type adamParams,
  createModelRequest,
  type loadWeightsRequest,
  sampleRequest,
  type saveWeightsForSamplerRequest,
  type saveWeightsRequest,
} from '../../learner/tinker/wire/control.ts';
import { MAX_TOP_LOGPROBS } from '../chat-request.ts';

const number = z.int().min(0);

/** The replies of a request are in memory together. */
const MAX_SAMPLES = 1024;

export const createModel = createModelRequest.extend({
  optimizer_config: z.object({ type: z.string() }).nullish(),
});

/** What only hosted servers compute is rejected, because its absence would be an error of the reply. */
export const sampleBody = sampleRequest.extend({
  num_samples: z
    .int()
    .min(1)
    .max(MAX_SAMPLES, `is above the limit of ${MAX_SAMPLES}, send several requests`)
    .default(1),
  topk_sample_logprobs: number.max(MAX_TOP_LOGPROBS).default(0),
  topk_prompt_logprobs: number.max(MAX_TOP_LOGPROBS).default(0),
  prompt_logprobs_last_n: z.int().min(1).nullish(),
  prompt_alt_tokens_k: z.literal(0, 'is not served, leave it out').nullish(),
  target_prompt_logprobs: z.null('is not served, leave it out').optional(),
});

export const retrieveFutures = z.object({
  target: z.object({ sampling_session_id: z.string(), cloned_sampler_id: number.default(0) }),
  prev_cursor: number.default(0),
  timeout: z.number().min(0).nullish(),
});

export const joinSamplingSession = z.object({ sampling_session_id: z.string() });
export const weightsInfo = z.object({ tinker_path: z.string() });

export type CreateModel = z.output<typeof createModel>;
export type LoadWeights = z.output<typeof loadWeightsRequest>;
export type SaveWeights = z.output<typeof saveWeightsRequest>;
export type AdamParams = z.output<typeof adamParams>;
export type SaveWeightsForSampler = z.output<typeof saveWeightsForSamplerRequest>;
export type SampleBody = z.output<typeof sampleBody>;
