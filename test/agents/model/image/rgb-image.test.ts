// The latest screen, and which of its rows changed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RgbImage } from '../../../../runtime/agents/model/image/rgb-image.ts';
import { coloursOf, pixelsOf, sizeUpTo } from './images.ts';

const sequence = sizeUpTo(13, 9).chain(size =>
  fc.array(pixelsOf(size), { minLength: 1, maxLength: 5 }).map(screens => ({ size, screens })),
);

test('it holds the colours of the latest screen, and marks the rows that differ from the one before', () => {
  fc.assert(
    fc.property(sequence, ({ size, screens }) => {
      const image = new RgbImage(size);
      let before: Uint8Array | undefined;
      for (const pixels of screens) {
        const changed = image.update(pixels);
        const colours = coloursOf(pixels);
        expect(image.data).toEqual(colours);
        const rowOf = (bytes: Uint8Array, row: number) =>
          bytes.subarray(row * image.stride, (row + 1) * image.stride).join();
        for (let row = 0; row < size.height; row++)
          expect(changed[row]).toBe(
            before !== undefined && rowOf(before, row) === rowOf(colours, row) ? 0 : 1,
          );
        before = colours;
      }
    }),
  );
});

test('the bytes of a screen may begin anywhere in a buffer', () => {
  fc.assert(
    fc.property(sizeUpTo(13, 9).chain(pixelsOf), fc.nat(7), (pixels, offset) => {
      const { buffer } = Uint8Array.of(...new Uint8Array(offset), ...pixels.data);
      const image = new RgbImage(pixels);
      image.update({ ...pixels, data: new Uint8Array(buffer, offset) });
      expect(image.data).toEqual(coloursOf(pixels));
    }),
  );
});

test('a black first screen is a change', () => {
  const size = { width: 4, height: 3 };
  const changed = new RgbImage(size).update({ ...size, layout: 'rgba', data: new Uint8Array(48) });
  expect([...changed]).toEqual([1, 1, 1]);
});

test('a screen of another size is rejected', () => {
  const image = new RgbImage({ width: 2, height: 2 });
  expect(() => image.update({ width: 1, height: 2, layout: 'rgb', data: new Uint8Array(6) })).toThrow(
    '1 × 2',
  );
});
