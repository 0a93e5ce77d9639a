// Resizing: bit for bit as Pillow does it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Resizer, resize } from '../../../../runtime/agents/model/image/resize.ts';
import { RgbImage } from '../../../../runtime/agents/model/image/rgb-image.ts';
import type { Pixels, Size } from '../../../../runtime/core/screen.ts';
import { coloursOf, pixelsOf, sizeUpTo } from './images.ts';

/** The algorithm of Pillow for one axis of one channel, without shortcuts. */
function resizeLine(line: readonly number[], length: number): number[] {
  const scale = line.length / length;
  const filterScale = Math.max(scale, 1);
  return Array.from({ length }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - 2 * filterScale + 0.5));
    const end = Math.min(line.length, Math.trunc(centre + 2 * filterScale + 0.5));
    const weights = line.slice(first, end).map((_, tap) => cubic((first + tap - centre + 0.5) / filterScale));
    const total = weights.reduce((sum, each) => sum + each, 0);
    const fixed = weights.map(each => Math.trunc((each / total) * 2 ** 22 + (each < 0 ? -0.5 : 0.5)));
    const sum = fixed.reduce((all, weight, tap) => all + weight * (line[first + tap] ?? 0), 2 ** 21);
    return Math.min(255, Math.max(0, Math.floor(sum / 2 ** 22)));
  });
}

function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return 1.5 * x ** 3 - 2.5 * x ** 2 + 1;
  return x < 2 ? -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 : 0;
}

function plainlyResized(pixels: Pixels, { width, height }: Size): Uint8Array {
  const colours = coloursOf(pixels);
  const result = new Uint8Array(3 * width * height);
  for (let channel = 0; channel < 3; channel++) {
    const wide = Array.from({ length: pixels.height }, (_, row) =>
      resizeLine(
        Array.from(
          { length: pixels.width },
          (_, column) => colours[3 * (row * pixels.width + column) + channel] ?? 0,
        ),
        width,
      ),
    );
    for (let column = 0; column < width; column++)
      for (const [row, value] of resizeLine(
        wide.map(each => each[column] ?? 0),
        height,
      ).entries())
        result[3 * (row * width + column) + channel] = value;
  }
  return result;
}

const image = sizeUpTo(24, 24).chain(pixelsOf);

test('both passes equal those of Pillow, larger and smaller', () => {
  fc.assert(
    fc.property(image, sizeUpTo(40, 40), (pixels, size) => {
      const resized = resize(pixels, size);
      expect(resized).toMatchObject({ ...size, layout: 'rgb' });
      expect(resized.data).toEqual(plainlyResized(pixels, size));
    }),
  );
});

test('an image of the same size keeps its colours', () => {
  fc.assert(
    fc.property(image, pixels => {
      expect(resize(pixels, pixels).data).toEqual(coloursOf(pixels));
    }),
  );
});

test('rows depend only on the source rows that are reported', () => {
  const cases = fc
    .tuple(image, sizeUpTo(40, 40))
    .chain(([pixels, size]) =>
      fc.tuple(fc.constant({ pixels, size }), fc.nat(size.height - 1), fc.nat(size.height - 1)),
    );
  fc.assert(
    fc.property(cases, ([{ pixels, size }, one, other]) => {
      const [first, end] = [Math.min(one, other), Math.max(one, other) + 1];
      const source = new RgbImage(pixels);
      source.update(pixels);
      const resizer = new Resizer(source, size);
      const rows = (): Uint8ClampedArray => {
        resizer.begin();
        const written = new Uint8ClampedArray(3 * size.width * (end - first));
        for (let row = first; row < end; row++)
          resizer.writeRow(row, written, 3 * size.width * (row - first));
        return written;
      };
      const before = rows();
      const needed = resizer.sourceRows({ first, end });
      for (let row = 0; row < pixels.height; row++)
        if (row < needed.first || row >= needed.end)
          source.data.fill(123, row * source.stride, (row + 1) * source.stride);
      expect(rows()).toEqual(before);
    }),
  );
});

test('rows may be read in any order', () => {
  const cases = fc
    .tuple(image, sizeUpTo(40, 40))
    .chain(([pixels, size]) =>
      fc.tuple(fc.constant({ pixels, size }), fc.array(fc.nat(size.height - 1), { maxLength: 60 })),
    );
  fc.assert(
    fc.property(cases, ([{ pixels, size }, order]) => {
      const source = new RgbImage(pixels);
      source.update(pixels);
      const resizer = new Resizer(source, size);
      const { data } = resize(pixels, size);
      const stride = 3 * size.width;
      for (const row of order) {
        const written = new Uint8ClampedArray(stride);
        resizer.writeRow(row, written, 0);
        expect(new Uint8Array(written)).toEqual(data.slice(row * stride, (row + 1) * stride));
      }
    }),
  );
});
