// Values survive their way through the broker, large and odd ones too; messages stay small; what cannot be read is an error and not a value.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobHash, MAX_BLOB_BYTES } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import {
  BlobMissing,
  MAX_MESSAGE_BYTES,
  MIN_BLOB_BYTES,
  UnfitValue,
  ValueCodec,
} from '../../../runtime/fabric/nats/codec.ts';

const bytes = fc
  .uint8Array({ maxLength: 40 })
  .chain(few => fc.constantFrom(few, new Uint8Array(MIN_BLOB_BYTES).fill(few[0] ?? 1)));
const { value: anyValue } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string(), fc.boolean(), fc.constant(null), bytes),
    // There is no -0 in JSON.
    fc.double().map(number => number + 0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('$blob', '$bytes', '$$plain', '__proto__')),
      tie('value'),
    ),
  ),
}));

test('a value that is encoded and decoded is equal, and no message is too long', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  await fc.assert(
    fc.asyncProperty(fc.array(anyValue, { maxLength: 3 }), async value => {
      const message = await codec.encode(value);
      expect(message.bytes.length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
      expect(await codec.decode(message.bytes)).toEqual(value);
    }),
    { numRuns: 100 },
  );
});

test('a value that is too long for a message is a blob, and equal bytes are one blob', async () => {
  const blobs = new MemoryBlobs();
  const codec = new ValueCodec(blobs);
  const picture = new Uint8Array(MIN_BLOB_BYTES).fill(7);
  const value = {
    text: 'x'.repeat(2 * MAX_MESSAGE_BYTES),
    pictures: [picture, picture],
    small: Uint8Array.of(1, 2),
  };
  const message = await codec.encode(value);
  expect(message.bytes.length).toBeLessThan(100);
  expect(new Set(message.blobs).size).toBe(2);
  expect(await codec.decode(message.bytes)).toEqual(value);
});

test('a property without a value is left out', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  const decoded = await codec.decode((await codec.encode({ a: undefined, b: [undefined] })).bytes);
  expect(decoded).toStrictEqual({ b: [undefined] });
});

test('bytes do not share memory with the message', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  const { bytes: message } = await codec.encode([Uint8Array.of(1, 2, 3)]);
  const [decoded] = (await codec.decode(message)) as Uint8Array[];
  expect(decoded?.buffer.byteLength).toBe(3);
});

test.each([
  ['a function', { run: () => 1 }],
  ['a map', { numbers: new Map() }],
  ['floats', [Float32Array.of(1)]],
])('%s is refused with its place', async (_, value) => {
  await expect(new ValueCodec(new MemoryBlobs()).encode(value)).rejects.toBeInstanceOf(UnfitValue);
});

/** A token of a model with its alternatives, as a trace contains it. */
const token = {
  ...{ text: ' click', id: 3114, logProbability: -0.123456789, entropy: 0.23456789 },
  alternatives: Array.from({ length: 20 }, (_, index) => ({
    text: ` other ${index}`,
    logProbability: -1.23456789 - index,
  })),
};

test('a trace of 20,000 tokens with their alternatives is encoded and decoded', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  const { bytes: message } = await codec.encode(Array(20_000).fill(token));
  const decoded = (await codec.decode(message)) as unknown[];
  expect(decoded).toHaveLength(20_000);
  expect(decoded.at(-1)).toEqual(token);
});

const nested = (times: number): unknown => (times === 0 ? [] : [nested(times - 1)]);

test('a value of the largest depth is encoded and decoded', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  for (const value of [nested(64), [nested(62), Uint8Array.of(1), undefined]])
    expect(await codec.decode((await codec.encode(value)).bytes)).toEqual(value);
});

const distinct = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, index) => {
    const bytes = new Uint8Array(MIN_BLOB_BYTES);
    new DataView(bytes.buffer).setUint32(0, index);
    return bytes;
  });

test.each<[string, () => unknown, RegExp]>([
  ['bytes above the size of a blob', () => ({ w: new Uint8Array(MAX_BLOB_BYTES + 1) }), /'w' has 67108865 b/],
  ['JSON above the size of a blob', () => 'x'.repeat(MAX_BLOB_BYTES), /JSON has 67108866 bytes/],
  ['too many values', () => Array(8_000_001).fill(0), /JSON has 8000001 values/],
  ['too many blobs', () => distinct(2001), /refers to 2001 blobs/],
  ['a blob and too many values', () => [...distinct(1), Array(8_000_001).fill(0)], /JSON has 8000004 values/],
  ['a nesting that is too deep', () => nested(65), /nested more than 64 times/],
])('%s cannot be sent, no blob is put for it, and the remedy is not the version', async (_, value, why) => {
  let puts = 0;
  // Without a copy of the bytes.
  const put = async (bytes: Uint8Array) => {
    puts += 1;
    return blobHash(bytes);
  };
  const sending = new ValueCodec({ put, get: async () => undefined }).encode(value());
  await expect(sending).rejects.toBeInstanceOf(UnfitValue);
  await expect(sending).rejects.toThrow(why);
  await expect(sending).rejects.not.toThrow(/version/);
  expect(puts).toBe(0);
});

test('a message above a limit is not read, and the remedy is not the version', async () => {
  const text = Buffer.from(`${'['.repeat(66)}${']'.repeat(66)}`);
  const message = Uint8Array.of(1, text.length, 0, 0, 0, ...text);
  const reading = new ValueCodec(undefined).decode(message);
  await expect(reading).rejects.toThrow(/nested more than 64 times/);
  await expect(reading).rejects.not.toThrow(/version/);
});

test('a missing blob is reported as such', async () => {
  const { bytes: message } = await new ValueCodec(new MemoryBlobs()).encode(new Uint8Array(MIN_BLOB_BYTES));
  await expect(new ValueCodec(new MemoryBlobs()).decode(message)).rejects.toBeInstanceOf(BlobMissing);
});

test('bytes that are no message never become a value by accident, nor another error', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  const good = (await codec.encode({ a: [Uint8Array.of(1, 2, 3), { b: 'text' }] })).bytes;
  const json = (text: string) => Uint8Array.of(1, text.length, 0, 0, 0, ...Buffer.from(text));
  const bad = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc.nat({ max: good.length - 1 }).map(length => good.slice(0, length)),
    fc
      .constantFrom(
        ...[
          '{"$bytes":[0,9]}',
          '{"$bytes":[-1,0]}',
          '{"$blob":"x"}',
          '{"$blob":1}',
          '{"$plain":"?"}',
          '{"$x":1}',
          '{',
        ],
      )
      .map(json),
  );
  await fc.assert(
    fc.asyncProperty(bad, async message => {
      await expect(codec.decode(message)).rejects.toBeInstanceOf(UnfitValue);
    }),
    { numRuns: 300 },
  );
});
