// The checksum of zlib streams, in parts.

import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adler32,
  adlerBytes,
  adlerOfBoth,
  EMPTY_ADLER,
} from '../../../../runtime/agents/model/image/adler32.ts';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 50 }),
  fc.nat(70_000).map(length => new Uint8Array(length).fill(255)),
);

test('it equals the checksum of zlib', () => {
  fc.assert(
    fc.property(bytes, some => {
      expect([...adlerBytes(adler32(some))]).toEqual([...deflateSync(some).subarray(-4)]);
    }),
  );
});

test('the checksum of a whole follows from those of its parts', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 4 }), parts => {
      const combined = parts.reduce((sum, part) => adlerOfBoth(sum, adler32(part), part.length), EMPTY_ADLER);
      expect(combined).toEqual(adler32(Buffer.concat(parts)));
    }),
    { numRuns: 50 },
  );
});
