// The parts of zlib streams: what they decompress to, and that earlier parts have no influence.

import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deflatedPart } from '../../../../runtime/agents/model/image/deflate.ts';
import { joined } from '../../../../runtime/core/png.ts';

/** Of few values, so that they can be compressed. */
const bytes = fc.uint8Array({ min: 0, max: 3, minLength: 1, maxLength: 400 });
const LAST_BLOCK = Uint8Array.of(0x03, 0x00);

test('parts decompress to their bytes, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 12 }), async all => {
      const parts = await Promise.all(all.map(deflatedPart));
      const stream = joined([...parts.toReversed(), LAST_BLOCK]);
      expect(Buffer.compare(inflateRawSync(stream), joined(all.toReversed()))).toBe(0);
    }),
  );
});

test('equal bytes have equal results, also at the end of a buffer for results', async () => {
  const noise = Uint8Array.from({ length: 150_000 }, (_, at) => Math.imul(at, 2_654_435_761) >>> 24);
  const all = [noise, noise.subarray(0, 29), noise.subarray(5, 40_000)];
  const expected = await Promise.all(all.map(deflatedPart));
  // The results of so many rounds do not fit in the buffers of all compressors.
  for (let round = 0; round < 40; round++) {
    const again = await Promise.all(all.map(deflatedPart));
    expect(again.map((part, index) => Buffer.compare(part, expected[index] ?? part))).toEqual([0, 0, 0]);
  }
});

test('the bytes may change as soon as the call returns', async () => {
  const all = new Uint8Array(5000).fill(7);
  const pending = deflatedPart(all);
  all.fill(9);
  const stream = joined([await pending, LAST_BLOCK]);
  expect(Buffer.compare(inflateRawSync(stream), new Uint8Array(5000).fill(7))).toBe(0);
});
