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

/** The inverse of what the reader does, by the definition of the format. */
function filtered(row: Uint8Array, above: Uint8Array, filter: number, pixelBytes: number): Uint8Array {
  const paeth = (left: number, up: number, corner: number) => {
    const guess = left + up - corner;
    const distances = [left, up, corner].map(each => Math.abs(guess - each));
    return [left, up, corner][distances.indexOf(Math.min(...distances))] ?? 0;
  };
  const byte = (of: Uint8Array, at: number) => of[at] ?? 0;
  return row.map((value, x) => {
    const [left, up, corner] = [byte(row, x - pixelBytes), byte(above, x), byte(above, x - pixelBytes)];
    return value - ([0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0);
  });
}

const COLOUR_TYPES = [
  { type: 0, channels: 1 },
  { type: 2, channels: 3 },
  { type: 4, channels: 2 },
  { type: 6, channels: 4 },
] as const;
const filteredImages = fc
  .record({
    ...{ width: fc.integer({ min: 1, max: 9 }), colour: fc.constantFrom(...COLOUR_TYPES) },
    filters: fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }),
  })
  .chain(image => {
    const rowBytes = image.width * image.colour.channels;
    const row = fc.uint8Array({ minLength: rowBytes, maxLength: rowBytes });
    const { length } = image.filters;
    return fc.record({
      image: fc.constant(image),
      rows: fc.array(row, { minLength: length, maxLength: length }),
    });
  });

test('undoes every filter, with and without colours and transparency', () => {
  fc.assert(
    fc.property(filteredImages, ({ image: { width, colour, filters }, rows }) => {
      const packed = rows.map((row, y) => {
        const above = rows[y - 1] ?? new Uint8Array(row.length);
        return Buffer.from([filters[y] ?? 0, ...filtered(row, above, filters[y] ?? 0, colour.channels)]);
      });
      const header = Buffer.from([0, 0, 0, width, 0, 0, 0, rows.length, 8, colour.type, 0, 0, 0]);
      const signature = pngStart({ width, height: rows.length }).subarray(0, 8);
      const png = Buffer.concat([
        signature,
        pngChunk('IHDR', header),
        pngChunk('IDAT', deflateSync(Buffer.concat(packed))),
        pngChunk('IEND'),
      ]);
      const expected = rows.flatMap(row =>
        Array.from({ length: width }, (_, x) => {
          const pixel = row.subarray(x * colour.channels);
          return colour.channels <= 2 ? [pixel[0], pixel[0], pixel[0]] : [...pixel.subarray(0, 3)];
        }).flat(),
      );
      expect([...decodePng(png, LIMIT).data]).toEqual(expected);
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
