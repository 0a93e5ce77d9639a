// The checksum of zlib streams, from those of its parts.

import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Adler32,
  adlerBytes,
  adlerOfBoth,
  EMPTY_ADLER,
} from '../../../../runtime/agents/model/image/adler32.ts';

/** At the end of a zlib stream. */
const trailerOf = (bytes: Uint8Array): Buffer => deflateSync(bytes).subarray(-4);
const adlerOf = (bytes: Uint8Array): Adler32 => {
  const trailer = trailerOf(bytes);
  return { low: trailer.readUInt16BE(2), high: trailer.readUInt16BE(0) };
};

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 50 }),
  fc.nat(70_000).map(length => new Uint8Array(length).fill(255)),
);

test('the checksum of a whole follows from those of its parts', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 4 }), parts => {
      const combined = parts.reduce((sum, part) => adlerOfBoth(sum, adlerOf(part), part.length), EMPTY_ADLER);
      expect([...adlerBytes(combined)]).toEqual([...trailerOf(Buffer.concat(parts))]);
    }),
    { numRuns: 50 },
  );
});
