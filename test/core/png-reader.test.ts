// Images from outside: every valid one is read, and no bytes break the reader.

import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pngChunk, pngOf, pngRows, pngStart } from '../../runtime/core/png.ts';
import { decodePng, PngError } from '../../runtime/core/png-reader.ts';
import { coloursOf, pixelsOf, sizeUpTo } from '../agents/model/image/images.ts';

const LIMIT = 10_000;
const pixels = sizeUpTo(20, 20).chain(pixelsOf);

test('reads what the encoder writes', () => {
  fc.assert(
    fc.property(pixels, given => {
      const { data, ...size } = decodePng(pngOf(given, deflateSync(pngRows(given))), LIMIT);
      expect(size).toEqual({ width: given.width, height: given.height, layout: 'rgb' });
      expect(Buffer.compare(data, coloursOf(given))).toBe(0);
    }),
  );
});

test('damaged files are errors with a remedy, and nothing else', () => {
  const change = fc.record({ at: fc.nat(), to: fc.nat(255), cut: fc.nat() });
  fc.assert(
    fc.property(pixels, fc.array(change, { minLength: 1, maxLength: 4 }), (given, changes) => {
      const png = pngOf(given, deflateSync(pngRows(given)));
      for (const { at, to } of changes) png[at % png.length] = to;
      const cut = png.subarray(0, (changes[0]?.cut ?? 0) % (2 * png.length));
      try {
        decodePng(cut, LIMIT);
      } catch (error) {
        expect(error).toBeInstanceOf(PngError);
      }
    }),
    { numRuns: 500 },
  );
});

test('a size above the limit is rejected before memory is allocated', () => {
  const bomb = Buffer.concat([
    pngStart({ width: 60_000, height: 60_000 }),
    pngChunk('IDAT', deflateSync(Buffer.alloc(10))),
    pngChunk('IEND'),
  ]);
  expect(() => decodePng(bomb, LIMIT)).toThrow(/60000 × 60000/);
});
