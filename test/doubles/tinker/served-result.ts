// Results and errors of the double, in the encoding that a client asked for.

import type { HttpBytesReply } from '../../../runtime/endpoints/http-transport.ts';
import { resultToJson, samplesToJson } from '../../../runtime/learner/tinker/wire/json.ts';
import {
  type ForwardBackwardResult,
  PROTOBUF_TYPE,
  type SampleResult,
} from '../../../runtime/learner/tinker/wire/messages.ts';
import { encodeResult } from '../../../runtime/learner/tinker/wire/protobuf-results.ts';
import { encodeSamples } from '../../../runtime/learner/tinker/wire/protobuf-samples.ts';

export type ServedResult =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'pass'; readonly value: ForwardBackwardResult }
  | { readonly kind: 'samples'; readonly value: SampleResult }
  | { readonly kind: 'failed'; readonly error: string };

/** A status other than 200. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const reply = (status: number, type: string, body: Uint8Array): HttpBytesReply => ({
  ...{ status, headers: { 'content-type': type }, body },
});

export const replyOf = (status: number, value: unknown): HttpBytesReply =>
  reply(status, 'application/json', Buffer.from(JSON.stringify(value)));

export function resultReply(result: ServedResult, takesProtobuf: boolean): HttpBytesReply {
  if (result.kind === 'failed') return replyOf(400, { detail: result.error });
  if (result.kind === 'json') return replyOf(200, result.value);
  if (result.kind === 'pass') {
    if (takesProtobuf) return reply(200, PROTOBUF_TYPE, encodeResult(result.value));
    return reply(200, 'application/json', Buffer.from(resultToJson(result.value)));
  }
  if (takesProtobuf) return reply(200, PROTOBUF_TYPE, encodeSamples(result.value));
  return reply(200, 'application/json', Buffer.from(samplesToJson(result.value)));
}
