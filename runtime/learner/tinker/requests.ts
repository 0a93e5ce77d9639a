// Requests to a Tinker server as bytes. Equal arguments give equal bytes: a server recognises a repeated request by them. Pure.

import * as z from 'zod';
import type { AdamSettings } from '../learner.ts';
import { forwardBackwardFromJson, forwardBackwardToJson, modelInputToJson } from './wire/json.ts';
import { type ForwardBackward, JSON_TYPE, PROTOBUF_TYPE, type WireChunk } from './wire/messages.ts';
import { decodeForwardBackward, encodeForwardBackward } from './wire/protobuf.ts';

export const WIRE_ENCODINGS = ['protobuf', 'json'] as const;
export type WireEncoding = (typeof WIRE_ENCODINGS)[number];

export interface EncodedRequest {
  readonly route: string;
  readonly type: string;
  readonly body: Uint8Array;
}

/** The model of a request, and the number of the request. */
export interface RequestAddress {
  readonly modelId: string;
  readonly seqId: number;
}

const json = (route: string, value: unknown): EncodedRequest => jsonText(route, JSON.stringify(value));

const jsonText = (route: string, text: string): EncodedRequest => ({
  ...{ route, type: JSON_TYPE, body: new TextEncoder().encode(text) },
});

export function passRequest(request: ForwardBackward, encoding: WireEncoding): EncodedRequest {
  if (encoding === 'protobuf')
    return { route: '/forward_backward', type: PROTOBUF_TYPE, body: encodeForwardBackward(request) };
  return jsonText(request.forwardOnly ? '/forward' : '/forward_backward', forwardBackwardToJson(request));
}

/** The request with gradients whose bytes `passRequest` made. */
export const plannedPass = (body: Uint8Array, encoding: WireEncoding): EncodedRequest => ({
  ...{ route: '/forward_backward', type: encoding === 'protobuf' ? PROTOBUF_TYPE : JSON_TYPE, body },
});

export const plannedStep = (body: Uint8Array): EncodedRequest => ({
  ...{ route: '/optim_step', type: JSON_TYPE, body },
});

/** Decodes a request with gradients that `passRequest` encoded. */
export const passFrom = (body: Uint8Array, encoding: WireEncoding): ForwardBackward =>
  encoding === 'protobuf'
    ? decodeForwardBackward(body)
    : forwardBackwardFromJson(JSON.parse(new TextDecoder().decode(body)), 'forward_backward');

export function stepRequest({ modelId, seqId }: RequestAddress, settings: AdamSettings): EncodedRequest {
  const { learningRate, beta1, beta2, epsilon, weightDecay, clipNorm } = settings;
  return json('/optim_step', {
    model_id: modelId,
    seq_id: seqId,
    adam_params: {
      ...{ learning_rate: learningRate, beta1, beta2, eps: epsilon },
      ...{ weight_decay: weightDecay, grad_clip_norm: clipNorm },
    },
    type: 'optim_step',
  });
}

const stepBody = z.looseObject({ model_id: z.string(), seq_id: z.int() });

/** The same step at another address. */
export function readdressedStep(body: Uint8Array, address: RequestAddress): EncodedRequest {
  const step = stepBody.parse(JSON.parse(new TextDecoder().decode(body)));
  return json('/optim_step', { ...step, model_id: address.modelId, seq_id: address.seqId });
}

export const saveRequest = ({ modelId, seqId }: RequestAddress, name: string): EncodedRequest =>
  json('/save_weights', { model_id: modelId, seq_id: seqId, path: name, type: 'save_weights' });

export const loadRequest = ({ modelId, seqId }: RequestAddress, path: string): EncodedRequest =>
  json('/load_weights', { model_id: modelId, seq_id: seqId, path, optimizer: true, type: 'load_weights' });

export const publishRequest = ({ modelId, seqId }: RequestAddress, name: string): EncodedRequest =>
  json('/save_weights_for_sampler', {
    ...{ model_id: modelId, seq_id: seqId, path: name, type: 'save_weights_for_sampler' },
  });

export interface NewModel {
  readonly baseModel: string;
  /** Of LoRA; 0 trains all weights. */
  readonly rank: number;
  readonly seed: number;
}

export const createModelRequestOf = (
  session: string,
  number: number,
  { baseModel, rank, seed }: NewModel,
): EncodedRequest =>
  json('/create_model', {
    ...{ session_id: session, model_seq_id: number, base_model: baseModel },
    lora_config: { rank, seed },
    type: 'create_model',
  });

export const unloadRequest = (modelId: string): EncodedRequest =>
  json('/unload_model', { model_id: modelId, type: 'unload_model' });

/** Asks the base model for the log-probabilities of all tokens, including the last ones. */
export const promptLogProbabilitiesRequest = (
  baseModel: string,
  tokens: readonly WireChunk[],
): EncodedRequest =>
  json('/asample', {
    ...{ base_model: baseModel, num_samples: 1, prompt_logprobs: true, prompt: modelInputToJson(tokens) },
    sampling_params: { max_tokens: 1, temperature: 1, top_k: -1, top_p: 1, seed: 0 },
    type: 'sample',
  });
