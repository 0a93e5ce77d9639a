// The codecs of the Tinker protocol: messages that the official SDK encoded, and round trips of both encodings.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  forwardBackwardFromJson,
  forwardBackwardToJson,
  resultFromJson,
  resultToJson,
  samplesFromJson,
  samplesToJson,
} from '../../../runtime/learner/tinker/wire/json.ts';
import {
  type ForwardBackward,
  type ForwardBackwardResult,
  type SampleResult,
  type WireChunk,
  WireError,
  type WireTensor,
} from '../../../runtime/learner/tinker/wire/messages.ts';
import {
  decodeForwardBackward,
  encodeForwardBackward,
} from '../../../runtime/learner/tinker/wire/protobuf.ts';
import { decodeResult, encodeResult } from '../../../runtime/learner/tinker/wire/protobuf-results.ts';
import { decodeSamples, encodeSamples } from '../../../runtime/learner/tinker/wire/protobuf-samples.ts';
import { GOLDEN } from './golden.ts';

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('messages of the official SDK', () => {
  const requests = GOLDEN.flatMap(each => (each.kind === 'request' ? [each] : []));

  test.each(requests)('a request: $name', ({ hex, json, route }) => {
    const request = forwardBackwardFromJson(json, route);
    expect(decodeForwardBackward(bytesOf(hex))).toEqual(request);
    expect(hexOf(encodeForwardBackward(request))).toBe(hex);
    expect(JSON.parse(forwardBackwardToJson(request))).toEqual(json);
  });

  test.each(GOLDEN.flatMap(each => (each.kind === 'result' ? [each] : [])))(
    'a result: $name',
    ({ hex, json }) => {
      const result = resultFromJson(json);
      expect(decodeResult(bytesOf(hex))).toEqual(result);
      expect(decodeResult(encodeResult(result))).toEqual(result);
      expect(JSON.parse(resultToJson(result))).toEqual(json);
    },
  );

  test.each(GOLDEN.flatMap(each => (each.kind === 'samples' ? [each] : [])))(
    'samples: $name',
    ({ hex, json }) => {
      const samples = samplesFromJson(json);
      expect(decodeSamples(bytesOf(hex))).toEqual(samples);
      expect(decodeSamples(encodeSamples(samples))).toEqual(samples);
      expect(JSON.parse(samplesToJson(samples))).toMatchObject(z.record(z.string(), z.unknown()).parse(json));
    },
  );
});

/** An ONNX Runtime in the same process flushes smaller numbers to zero. */
const LEAST_NORMAL = 2 ** -126;
const isNormal = (value: number): boolean => value === 0 || Math.abs(value) >= LEAST_NORMAL;
const float = fc.float({ noNaN: true, noDefaultInfinity: true }).filter(isNormal);
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isNormal);
const token = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const size = fc.integer({ min: 0, max: 5 });

const tensor: fc.Arbitrary<WireTensor> = fc.oneof(
  fc.array(float, { maxLength: 5 }).map(data => ({ type: 'float32', data, shape: [data.length] }) as const),
  fc
    .array(fc.maxSafeInteger(), { maxLength: 5 })
    .map(data => ({ type: 'int64', data, shape: [data.length] }) as const),
  fc.array(float, { maxLength: 3 }).map(
    data =>
      ({
        type: 'float32',
        data,
        shape: [1, 9],
        sparse: { starts: [0, data.length], columns: data.map((_, index) => 2 * index) },
      }) as const,
  ),
);

const chunk: fc.Arbitrary<WireChunk> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), tokens: fc.array(token, { maxLength: 5 }) }),
  fc.record(
    {
      kind: fc.constant('image' as const),
      data: fc.uint8Array({ maxLength: 9 }),
      format: fc.constantFrom('png' as const, 'jpeg' as const),
      expectedTokens: fc.nat(9999),
    },
    { requiredKeys: ['kind', 'data', 'format'] },
  ),
);

/** Records drop `__proto__`, which is no name of a field or a metric. */
const name = fc.string({ minLength: 1, maxLength: 9, unit: 'grapheme' }).filter(each => each !== '__proto__');

const request: fc.Arbitrary<ForwardBackward> = fc.record({
  modelId: fc.string({ maxLength: 9 }),
  seqId: fc.nat(2 ** 31 - 1),
  lossFn: fc.string({ maxLength: 9 }),
  lossFnConfig: fc.dictionary(name, fc.oneof(double, fc.string()), {
    minKeys: 1,
    maxKeys: 3,
  }),
  forwardOnly: fc.boolean(),
  data: fc.array(
    fc.record({
      input: fc.array(chunk, { maxLength: 3 }),
      lossInputs: fc.dictionary(name, tensor, { maxKeys: 3 }),
    }),
    { maxLength: 3 },
  ),
});

const result: fc.Arbitrary<ForwardBackwardResult> = fc.record({
  outputType: fc.constantFrom('', 'ArrayRecord'),
  outputs: fc.array(
    fc.dictionary(
      fc.constantFrom('logprobs', 'loss'),
      fc.tuple(size, fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 1 })).chain(([rows, inner]) => {
        const count = rows * (inner[0] ?? 1);
        return fc
          .array(float, { minLength: count, maxLength: count })
          .map(data => ({ type: 'float32', data, shape: [rows, ...inner] }) as const);
      }),
    ),
    { maxLength: 5 },
  ),
  metrics: fc.dictionary(name, double, { maxKeys: 3 }),
});

const top = fc.array(
  fc.oneof(fc.constant(null), fc.array(fc.tuple(token, fc.constant(-0.5)), { minLength: 1, maxLength: 3 })),
  { minLength: 1, maxLength: 4 },
);

const samples: fc.Arbitrary<SampleResult> = fc.record(
  {
    sequences: fc.array(
      fc.record(
        {
          stopReason: fc.constantFrom('stop' as const, 'length' as const),
          tokens: fc.array(token, { maxLength: 5 }),
          logprobs: fc.array(float, { minLength: 1, maxLength: 5 }),
          topLogprobs: top,
        },
        { requiredKeys: ['stopReason', 'tokens'] },
      ),
      { maxLength: 3 },
    ),
    promptLogprobs: fc.array(fc.oneof(fc.constant(null), float), { minLength: 1, maxLength: 5 }),
    topPromptLogprobs: top,
  },
  { requiredKeys: ['sequences'] },
);

describe('round trips', () => {
  test('a request keeps its meaning in protobuf and in JSON', () => {
    fc.assert(
      fc.property(request, value => {
        expect(decodeForwardBackward(encodeForwardBackward(value))).toEqual(value);
        const json: unknown = JSON.parse(forwardBackwardToJson(value));
        const route = value.forwardOnly ? 'forward' : 'forward_backward';
        expect(normal(forwardBackwardFromJson(json, route))).toEqual(normal(value));
      }),
    );
  });

  test('a result keeps its meaning in protobuf and in JSON', () => {
    fc.assert(
      fc.property(result, value => {
        expect(decodeResult(encodeResult(value))).toEqual(value);
        expect(normal(resultFromJson(JSON.parse(resultToJson(value))))).toEqual(normal(value));
      }),
    );
  });

  test('samples keep their meaning in protobuf and in JSON', () => {
    fc.assert(
      fc.property(samples, value => {
        expect(decodeSamples(encodeSamples(value))).toEqual(value);
        expect(normal(samplesFromJson(JSON.parse(samplesToJson(value))))).toEqual(normal(value));
      }),
    );
  });

  test('equal requests are equal bytes, in whatever order their maps were made', () => {
    const datum = (names: readonly string[]) => ({
      input: [],
      lossInputs: Object.fromEntries(names.map(each => [each, { type: 'float32', data: [1] } as const])),
    });
    const bytes = (names: readonly string[]) =>
      hexOf(encodeForwardBackward({ modelId: 'm', lossFn: 'l', forwardOnly: false, data: [datum(names)] }));
    expect(bytes(['a', 'b', 'c'])).toBe(bytes(['c', 'a', 'b']));
  });
});

/** JSON has no negative zero. */
const normal = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? [...each] : each)));

describe('damaged messages', () => {
  test('bytes that are cut anywhere are a WireError or another message, never another error', () => {
    for (const each of GOLDEN) {
      if (each.kind === 'control') continue;
      const { hex, kind } = each;
      const decode = { request: decodeForwardBackward, result: decodeResult, samples: decodeSamples }[kind];
      const whole = bytesOf(hex);
      for (let length = 0; length < whole.length; length++)
        try {
          decode(whole.slice(0, length));
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
    }
  });

  test('an error names the field', () => {
    const json = {
      model_id: 'm',
      forward_backward_input: { data: [{ model_input: { chunks: [] } }], loss_fn: 'l' },
    };
    expect(() => forwardBackwardFromJson(json, 'forward_backward')).toThrow(
      "'forward_backward_input.data.0.loss_fn_inputs'",
    );
  });

  test('what one encoding lacks is an error', () => {
    const pointer = { kind: 'pointer', location: 'http://lab/a.png', format: 'png' } as const;
    const data = [{ input: [pointer], lossInputs: {} }];
    const value = { modelId: 'm', lossFn: 'l', forwardOnly: false, data };
    expect(() => encodeForwardBackward(value)).toThrow('http://lab/a.png is a pointer');
    expect(
      forwardBackwardFromJson(JSON.parse(forwardBackwardToJson(value)), 'forward_backward').data,
    ).toEqual(data);
  });

  test('base64 with other characters is an error', () => {
    const image = { type: 'image', data: 'a*b?', format: 'png' };
    const json = {
      model_id: 'm',
      forward_backward_input: {
        data: [{ model_input: { chunks: [image] }, loss_fn_inputs: {} }],
        loss_fn: 'l',
      },
    };
    expect(() => forwardBackwardFromJson(json, 'forward_backward')).toThrow('is not base64');
  });
});
