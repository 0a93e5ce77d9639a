// Weights on disk: safetensors round trips and damage detection.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutOf, pack } from '../../runtime/graph/layout.ts';
import { decodeSafetensors, encodeSafetensors } from '../../runtime/graph/safetensors.ts';
import {
  arrayOf,
  countOf,
  type DType,
  type Tensor,
  type Tensors,
  tensor,
} from '../../runtime/graph/tensor.ts';
import { numbers, reader, startingWeights } from './networks.ts';

const anyTensor: fc.Arbitrary<Tensor> = fc
  .tuple(
    fc.constantFrom<DType>('float32', 'float64', 'int32', 'int64', 'bool', 'uint8'),
    fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    fc.integer({ min: 0, max: 200 }),
  )
  .map(([dtype, dims, seed]) => {
    const values = Array.from({ length: countOf(dims) }, (_, index) =>
      dtype === 'bool' ? (index + seed) % 2 : (index * 31 + seed) % 256,
    );
    return tensor(dtype, dims, arrayOf(dtype, values));
  });
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter(each => each !== '__metadata__');
const anyFile = fc.record({
  tensors: fc.dictionary(name, anyTensor, { noNullPrototype: true }),
  metadata: fc.dictionary(
    name.filter(each => !each.startsWith('sha256:')),
    fc.string(),
    { noNullPrototype: true },
  ),
});

describe('safetensors', () => {
  test('a file round-trips names, types, shapes, numbers and metadata', () => {
    fc.assert(
      fc.property(anyFile, file => {
        expect(decodeSafetensors(encodeSafetensors(file))).toEqual(file);
      }),
    );
  });

  test('the numbers start at a multiple of eight bytes', () => {
    fc.assert(
      fc.property(anyFile, file => {
        const bytes = encodeSafetensors(file);
        expect(Number(new DataView(bytes.buffer).getBigUint64(0, true)) % 8).toBe(0);
      }),
    );
  });

  test('a flipped bit in a number raises an error that names the tensor', () => {
    const tensors: Tensors = { first: numbers('a', [3, 5]), second: numbers('b', [4]) };
    const file = encodeSafetensors({ tensors, metadata: {} });
    const start = file.length - 4 * (15 + 4);
    fc.assert(
      fc.property(fc.integer({ min: start, max: file.length - 1 }), fc.nat(7), (at, bit) => {
        const damaged = file.slice();
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        const hurt = at < start + 60 ? 'first' : 'second';
        expect(() => decodeSafetensors(damaged)).toThrow(`The tensor '${hurt}' is damaged`);
      }),
    );
  });

  test('a flipped bit in the header raises an error or does not change the result', () => {
    const file = encodeSafetensors({
      tensors: { first: numbers('a', [3, 5]), second: numbers('b', [5, 3]) },
      metadata: { by: 'us' },
    });
    const whole = decodeSafetensors(file);
    const end = file.length - 4 * 30;
    for (let at = 0; at < end; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = file.slice();
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        let read: unknown;
        try {
          read = decodeSafetensors(damaged);
        } catch (error) {
          expect(error).toMatchObject({ name: 'SafetensorsError' });
          continue;
        }
        expect(read).toEqual(whole);
      }
    }
  });

  test('rejects overlaps, gaps and trailing bytes', () => {
    const fileOf = (offsets: readonly (readonly [number, number])[], bytes: number) => {
      const header = Object.fromEntries(
        offsets.map((range, index) => [
          `t${index}`,
          { dtype: 'U8', shape: [range[1] - range[0]], data_offsets: range },
        ]),
      );
      const json = new TextEncoder().encode(JSON.stringify(header));
      const file = new Uint8Array(8 + json.length + bytes);
      new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
      file.set(json, 8);
      return file;
    };
    expect(
      Object.keys(
        decodeSafetensors(
          fileOf(
            [
              [4, 6],
              [0, 4],
            ],
            6,
          ),
        ).tensors,
      ),
    ).toEqual(['t0', 't1']);
    expect(() =>
      decodeSafetensors(
        fileOf(
          [
            [0, 4],
            [2, 6],
          ],
          6,
        ),
      ),
    ).toThrow("The tensor 't1' starts at byte 2, where the one before it ends at 4.");
    expect(() =>
      decodeSafetensors(
        fileOf(
          [
            [0, 1],
            [5, 6],
          ],
          6,
        ),
      ),
    ).toThrow("The tensor 't1' starts at byte 5");
    expect(() => decodeSafetensors(fileOf([[0, 4]], 6))).toThrow(
      'The file has 2 bytes that belong to no tensor.',
    );
  });

  test('reads and writes views of larger buffers', () => {
    const part = Float32Array.of(9, 1, 2, 9).subarray(1, 3);
    const bytes = encodeSafetensors({ tensors: { part: tensor('float32', [2], part) }, metadata: {} });
    const larger = new Uint8Array(bytes.length + 5);
    larger.set(bytes, 5);
    expect(decodeSafetensors(larger.subarray(5)).tensors).toEqual({
      part: tensor('float32', [2], Float32Array.of(1, 2)),
    });
  });

  test('rejects reserved names', () => {
    const one = tensor('float32', [1], Float32Array.of(1));
    expect(() => encodeSafetensors({ tensors: { ['__metadata__']: one }, metadata: {} })).toThrow(
      "The tensor name '__metadata__' is reserved",
    );
    expect(() => encodeSafetensors({ tensors: {}, metadata: { 'sha256:w': 'x' } })).toThrow(
      "'sha256:w' is reserved for checksums",
    );
  });

  test('rejects a truncated file', () => {
    const file = encodeSafetensors({
      tensors: { first: numbers('a', [3, 5]), second: numbers('b', [4]) },
      metadata: {},
    });
    fc.assert(
      fc.property(fc.nat(file.length - 1), length => {
        expect(() => decodeSafetensors(file.slice(0, length))).toThrow(
          /too short|should be|cut off|starts at byte/,
        );
      }),
    );
    expect(() => decodeSafetensors(file.slice(0, -1))).toThrow(
      "The tensor 'second' is cut off: the file ends 1 bytes early.",
    );
  });

  test('rejects arbitrary bytes with a SafetensorsError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(60), (bytes, length) => {
        const file = Uint8Array.from([length, 0, 0, 0, 0, 0, 0, 0, ...bytes]);
        expect(() => decodeSafetensors(file)).toThrow(expect.objectContaining({ name: 'SafetensorsError' }));
      }),
    );
  });

  test.each([
    [
      '{"w":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}',
      "The tensor 'w' has the type F16; known are F32, F64, I32, I64, BOOL, U8. Name a file that Dartboard wrote.",
    ],
    [
      '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}',
      "The tensor 'w' of F32 [2] does not fit its place",
    ],
    ['{"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}', "The tensor 'w' has no valid shape"],
    ['{"w":{"dtype":{"toString":1},"shape":[1],"data_offsets":[0,4]}}', "The tensor 'w' has the type {"],
    ['{"w":{"dtype":["F32"],"shape":[1],"data_offsets":[0,4]}}', "The tensor 'w' has the type ["],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'nested'],
    ['{"w":[]}', "the entry of 'w' must be an object"],
    ['[]', 'the header must be an object'],
    ['{', 'The header is not JSON'],
  ])('the header %s is refused', (header, message) => {
    const json = new TextEncoder().encode(header);
    const file = new Uint8Array(8 + json.length + 4);
    new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
    file.set(json, 8);
    expect(() => decodeSafetensors(file)).toThrow(message);
  });

  test('reads a file without checksums', () => {
    const json = new TextEncoder().encode('{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}');
    const file = new Uint8Array(8 + json.length + 4);
    new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
    file.set(json, 8);
    file.set(new Uint8Array(Float32Array.of(1.5).buffer), 8 + json.length);
    expect(decodeSafetensors(file).tensors).toEqual({ w: tensor('float32', [1], Float32Array.of(1.5)) });
  });
});

test('saved and loaded weights give the same network', () => {
  const network = reader();
  const layout = layoutOf(network.graph);
  const flat = startingWeights(network)['weights']?.data as Float32Array;
  const tensors = Object.fromEntries(
    layout.entries.map(({ name, dims, offset, size }) => [
      name,
      tensor('float32', dims, Float32Array.from(flat.subarray(offset, offset + size))),
    ]),
  );
  const file = decodeSafetensors(encodeSafetensors({ tensors, metadata: { version: '1' } }));
  expect(pack(layout, file.tensors)).toEqual(flat);
});
