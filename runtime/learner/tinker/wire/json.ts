// The JSON encoding of the messages that have two encodings, for both sides. Readers check everything and throw a WireError.

import * as z from 'zod';
import { safeParse } from '../../../core/safe-parse.ts';
import {
  type ForwardBackward,
  type ForwardBackwardResult,
  IMAGE_FORMATS,
  type SampleResult,
  type WireChunk,
  type WireDatum,
  WireError,
  type WireRecord,
  type WireTensor,
} from './messages.ts';

/** Python writes NaN for a missing number, which the parser of replies turns into null. */
const numberOrNaN = z
  .number()
  .nullable()
  .transform(value => value ?? Number.NaN);
const count = z.int().min(0);

const tensor = z
  .object({
    data: z.array(numberOrNaN),
    dtype: z.enum(['float32', 'int64']).optional(),
    shape: z.array(count).nullish(),
    sparse_crow_indices: z.array(count).nullish(),
    sparse_col_indices: z.array(count).nullish(),
  })
  .transform(
    ({ data, dtype, shape, sparse_crow_indices: starts, sparse_col_indices: columns }): WireTensor => {
      const type = dtype ?? (data.every(Number.isInteger) ? 'int64' : 'float32');
      const sparse = starts && columns ? { starts, columns } : undefined;
      return { type, data, ...(shape && { shape }), ...(sparse && { sparse }) };
    },
  );

const record = z.record(z.string(), tensor);

const image = { format: z.enum(IMAGE_FORMATS), expected_tokens: count.nullish() };

/** Checked by its length: a regular expression would need a stack as long as the image. */
const base64 = z.string().transform((text, context) => {
  const data = new Uint8Array(Buffer.from(text, 'base64'));
  const written = Math.floor((text.replace(/={0,2}$/, '').length * 3) / 4);
  if (data.byteLength !== written) context.addIssue('is not base64');
  return data;
});

const chunkSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('encoded_text'), tokens: z.array(z.int()) }),
    z.object({ type: z.literal('image'), data: base64, ...image }),
    z.object({ type: z.literal('image_asset_pointer'), location: z.string().min(1), ...image }),
  ])
  .transform((chunk): WireChunk => {
    if (chunk.type === 'encoded_text') return { kind: 'text', tokens: chunk.tokens };
    const { format } = chunk;
    const expected = typeof chunk.expected_tokens === 'number' && { expectedTokens: chunk.expected_tokens };
    if (chunk.type === 'image_asset_pointer')
      return { kind: 'pointer', location: chunk.location, format, ...expected };
    return { kind: 'image', data: chunk.data, format, ...expected };
  });

/** The prompt of a request to sample, and the input of a row. */
export const modelInputSchema = z.object({ chunks: z.array(chunkSchema) });

const datum = z.object({ model_input: modelInputSchema, loss_fn_inputs: record }).transform(
  ({ model_input, loss_fn_inputs }): WireDatum => ({
    input: model_input.chunks,
    lossInputs: loss_fn_inputs,
  }),
);

const forwardBackwardInput = z.object({
  data: z.array(datum),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.union([z.number(), z.string()])).nullish(),
});

const addressed = { model_id: z.string(), seq_id: z.int().nullish() };
const forwardBackwardSchema = z.object({ ...addressed, forward_backward_input: forwardBackwardInput });
const forwardSchema = z.object({ ...addressed, forward_input: forwardBackwardInput });

/** The value of a request to `/forward` or to `/forward_backward`. */
export function forwardBackwardFromJson(
  value: unknown,
  route: 'forward' | 'forward_backward',
): ForwardBackward {
  const [body, input] =
    route === 'forward'
      ? read(forwardSchema, value, ({ forward_input }) => forward_input)
      : read(forwardBackwardSchema, value, ({ forward_backward_input }) => forward_backward_input);
  const { data, loss_fn: lossFn, loss_fn_config: lossFnConfig } = input;
  return {
    ...{ modelId: body.model_id, lossFn, forwardOnly: route === 'forward', data },
    ...(typeof body.seq_id === 'number' && { seqId: body.seq_id }),
    ...(lossFnConfig && { lossFnConfig }),
  };
}

function read<Body extends { readonly model_id: string }, Input>(
  schema: z.ZodType<Body>,
  value: unknown,
  inputOf: (body: Body) => Input,
): readonly [Body, Input] {
  const body = checked(schema, value, 'request');
  return [body, inputOf(body)];
}

export function forwardBackwardToJson(request: ForwardBackward): string {
  const { modelId, seqId, lossFn, lossFnConfig, forwardOnly, data } = request;
  const input = {
    data: data.map(({ input, lossInputs }) => ({
      model_input: modelInputToJson(input),
      loss_fn_inputs: recordToJson(lossInputs),
    })),
    loss_fn: lossFn,
    ...(lossFnConfig && { loss_fn_config: lossFnConfig }),
  };
  return JSON.stringify({
    model_id: modelId,
    ...(seqId !== undefined && { seq_id: seqId }),
    ...(forwardOnly ? { forward_input: input } : { forward_backward_input: input }),
  });
}

export const modelInputToJson = (chunks: readonly WireChunk[]) => ({ chunks: chunks.map(chunkToJson) });

function chunkToJson(chunk: WireChunk) {
  if (chunk.kind === 'text') return { type: 'encoded_text', tokens: chunk.tokens } as const;
  const { format, expectedTokens } = chunk;
  const expected = expectedTokens !== undefined && { expected_tokens: expectedTokens };
  if (chunk.kind === 'pointer')
    return { type: 'image_asset_pointer', location: chunk.location, format, ...expected } as const;
  const { buffer, byteOffset, byteLength } = chunk.data;
  const data = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { type: 'image', data, format, ...expected } as const;
}

const recordToJson = (tensors: WireRecord) =>
  Object.fromEntries(Object.entries(tensors).map(([name, each]) => [name, tensorToJson(each)]));

const tensorToJson = ({ type, data, shape, sparse }: WireTensor) => ({
  data,
  dtype: type,
  ...(shape && { shape }),
  ...(sparse && { sparse_crow_indices: sparse.starts, sparse_col_indices: sparse.columns }),
});

const resultSchema = z
  .object({
    loss_fn_output_type: z.string().default(''),
    loss_fn_outputs: z.array(record),
    metrics: z.record(z.string(), numberOrNaN).default({}),
  })
  .transform(
    ({ loss_fn_output_type: outputType, loss_fn_outputs: outputs, metrics }): ForwardBackwardResult => ({
      outputType,
      outputs,
      metrics,
    }),
  );

export const resultFromJson = (value: unknown): ForwardBackwardResult =>
  checked(resultSchema, value, 'result of a forward pass');

export const resultToJson = ({ outputType, outputs, metrics }: ForwardBackwardResult): string =>
  JSON.stringify({
    loss_fn_output_type: outputType,
    loss_fn_outputs: outputs.map(recordToJson),
    metrics,
  });

const top = z.array(z.array(z.tuple([z.int(), z.number()])).nullable());

const samplesSchema = z
  .object({
    sequences: z.array(
      z.object({
        stop_reason: z.enum(['stop', 'length']),
        tokens: z.array(z.int()),
        logprobs: z.array(numberOrNaN).nullish(),
        topk_logprobs: top.nullish(),
      }),
    ),
    prompt_logprobs: z.array(z.number().nullable()).nullish(),
    topk_prompt_logprobs: top.nullish(),
  })
  .transform(
    ({ sequences, prompt_logprobs, topk_prompt_logprobs }): SampleResult => ({
      sequences: sequences.map(({ stop_reason, tokens, logprobs, topk_logprobs }) => ({
        ...{ stopReason: stop_reason, tokens },
        ...(logprobs && { logprobs }),
        ...(topk_logprobs && { topLogprobs: topk_logprobs }),
      })),
      ...(prompt_logprobs && prompt_logprobs.length > 0 && { promptLogprobs: prompt_logprobs }),
      ...(topk_prompt_logprobs && { topPromptLogprobs: topk_prompt_logprobs }),
    }),
  );

export const samplesFromJson = (value: unknown): SampleResult => checked(samplesSchema, value, 'sample');

export const samplesToJson = ({ sequences, promptLogprobs, topPromptLogprobs }: SampleResult): string =>
  JSON.stringify({
    type: 'sample',
    sequences: sequences.map(({ stopReason, tokens, logprobs, topLogprobs }) => ({
      ...{ stop_reason: stopReason, tokens, logprobs },
      ...(topLogprobs && { topk_logprobs: topLogprobs }),
    })),
    ...(promptLogprobs && { prompt_logprobs: promptLogprobs }),
    ...(topPromptLogprobs && { topk_prompt_logprobs: topPromptLogprobs }),
  });

/** Throws a WireError that names the field. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue === undefined || issue.path.length === 0 ? 'the whole' : `'${issue.path.join('.')}'`;
  throw new WireError(`A ${what} is not in the Tinker protocol: ${path}: ${issue?.message ?? 'unreadable'}.`);
}
