// Passes of the double through its model.

import type { HttpRequest } from '../../../runtime/endpoints/http-transport.ts';
import { forwardBackwardFromJson } from '../../../runtime/learner/tinker/wire/json.ts';
import {
  type ForwardBackward,
  PROTOBUF_TYPE,
  type WireChunk,
  type WireDatum,
} from '../../../runtime/learner/tinker/wire/messages.ts';
import { decodeForwardBackward } from '../../../runtime/learner/tinker/wire/protobuf.ts';
import { Refusal, type ServedResult } from './served-result.ts';
import { imageTokens, ppoLosses, type TableModel } from './table-model.ts';
import { hardwareTime, type TinkerTraits } from './traits.ts';

export function passIn(
  route: '/forward' | '/forward_backward',
  body: Buffer,
  { headers }: HttpRequest,
  { protobuf }: TinkerTraits,
): ForwardBackward {
  const isProtobuf = headers['content-type'] === PROTOBUF_TYPE;
  if (isProtobuf && !protobuf) throw new Refusal(422, 'Input should be a valid dictionary');
  if (isProtobuf) return decodeForwardBackward(body);
  const value: unknown = JSON.parse(body.toString());
  return forwardBackwardFromJson(value, route === '/forward' ? 'forward' : 'forward_backward');
}

/** A bad row fails after the gradients of the rows before it were added up. */
export function passed(
  table: TableModel,
  { data, lossFn, lossFnConfig, forwardOnly }: ForwardBackward,
  traits: TinkerTraits,
): ServedResult {
  const { reduction, clip } = traits;
  if (lossFn === 'ppo' && clip === 'none') throw new Refusal(400, 'Unknown loss ppo');
  const isOneSided = clip === 'ppo-one-sided';
  const loss = { lossFn, lossFnConfig: { ...lossFnConfig, ...(isOneSided && { clip_low_threshold: 0 }) } };
  const outputs = data.map(datum => {
    check(datum);
    const values = table.pass(datum, loss, reduction, !forwardOnly);
    const listed = (data: readonly number[]) => ({ type: 'float32', data, shape: [data.length] }) as const;
    const losses =
      lossFn === 'ppo' && clip !== 'unreported' ? ppoLosses(datum.lossInputs, loss, values) : undefined;
    return { logprobs: listed(values), ...(losses && { elementwise_loss: listed(losses) }) };
  });
  return {
    kind: 'pass',
    value: {
      ...{ outputType: 'ArrayRecord', outputs },
      metrics: { 'rows:sum': data.length, ...hardwareTime(traits) },
    },
  };
}

function check({ input, lossInputs }: WireDatum): void {
  const places = input.reduce((sum, chunk) => sum + lengthOf(chunk), 0);
  if (lossInputs['target_tokens']?.data.length !== places)
    throw new Refusal(400, `target_tokens must have ${places} entries`);
}

export function lengthOf(chunk: WireChunk): number {
  if (chunk.kind === 'text') return chunk.tokens.length;
  if (chunk.kind === 'pointer') throw new Refusal(400, 'image_asset_pointer is not supported');
  const tokens = imageTokens(chunk.data);
  if (chunk.expectedTokens !== undefined && chunk.expectedTokens !== tokens)
    throw new Refusal(400, `Image has ${tokens} tokens, but expected_tokens is ${chunk.expectedTokens}`);
  return tokens;
}
