// From screens to filtered rows: which rows changed, resizing bit for bit as Pillow does it, and filters.

import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adlerBytes } from '../../../../runtime/agents/model/image/adler32.ts';
import { RowPipeline } from '../../../../runtime/agents/model/image/row-pipeline.ts';
import type { Pixels, Size } from '../../../../runtime/core/screen.ts';
import { coloursOf, pixelsOf, resizedByPillow, sizeUpTo } from './images.ts';

const image = sizeUpTo(24, 24).chain(pixelsOf);
const range = (height: number) =>
  fc
    .tuple(fc.nat(height - 1), fc.nat(height - 1))
    .map(([one, other]) => ({ first: Math.min(one, other), end: Math.max(one, other) + 1 }));
const rangeOfResized = fc
  .tuple(image, sizeUpTo(40, 40))
  .chain(([pixels, size]) => range(size.height).map(rows => ({ pixels, size, rows })));

function begun(pixels: Pixels, size: Size): RowPipeline {
  const pipeline = new RowPipeline(pixels, size, size.height);
  pipeline.begin(pixels);
  return pipeline;
}

describe('resizing', () => {
  test('both passes equal those of Pillow, larger and smaller, for any range of rows', () => {
    fc.assert(
      fc.property(rangeOfResized, ({ pixels, size, rows }) => {
        const stride = 3 * size.width;
        const expected = resizedByPillow(pixels, size).slice(rows.first * stride, rows.end * stride);
        expect(begun(pixels, size).resized(rows)).toEqual(expected);
      }),
    );
  });

  test('an image of the same size keeps its colours', () => {
    fc.assert(
      fc.property(image, pixels => {
        expect(begun(pixels, pixels).resized({ first: 0, end: pixels.height })).toEqual(coloursOf(pixels));
      }),
    );
  });

  test('rows depend only on the source rows that are reported', () => {
    fc.assert(
      fc.property(rangeOfResized, ({ pixels, size, rows }) => {
        const needed = begun(pixels, size).sourceRows(rows);
        const data = pixels.data.slice();
        const stride = data.length / pixels.height;
        data.fill(123, 0, needed.first * stride);
        data.fill(123, needed.end * stride);
        expect(begun({ ...pixels, data }, size).resized(rows)).toEqual(begun(pixels, size).resized(rows));
      }),
    );
  });
});

describe('changed rows', () => {
  const sequence = sizeUpTo(13, 9).chain(size =>
    fc.array(pixelsOf(size), { minLength: 1, maxLength: 5 }).map(screens => ({ size, screens })),
  );

  test('differ from the screen before; a screen in another layout differs', () => {
    fc.assert(
      fc.property(sequence, ({ size, screens }) => {
        const pipeline = new RowPipeline(size, size, size.height);
        let before: Pixels | undefined;
        for (const pixels of screens) {
          const changed = pipeline.begin(pixels);
          for (let row = 0; row < size.height; row++) {
            const isSame = before !== undefined && rowOf(before, row) === rowOf(pixels, row);
            if (!isSame) expect(changed[row]).toBe(1);
            else if (before?.layout === pixels.layout) expect(changed[row]).toBe(0);
          }
          before = pixels;
        }
      }),
    );
  });

  test('one changed channel of one pixel is a change, wherever it is', () => {
    const change = fc.record({ pixel: fc.nat(), channel: fc.nat(2), by: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(sizeUpTo(40, 3).chain(pixelsOf), change, (pixels, { pixel, channel, by }) => {
        const pipeline = begun(pixels, pixels);
        const at = pixel % (pixels.width * pixels.height);
        const data = pixels.data.slice();
        const byte = at * (pixels.layout === 'rgb' ? 3 : 4) + channel;
        data[byte] = (data[byte] ?? 0) + by;
        const changed = pipeline.begin({ ...pixels, data });
        expect([...changed].flatMap((each, row) => (each === 1 ? [row] : []))).toEqual([
          Math.floor(at / pixels.width),
        ]);
      }),
    );
  });

  test('do not depend on transparency, or on another screen in between', () => {
    const size = { width: 4, height: 2 };
    const screen = (alpha: number): Pixels => ({
      ...{ ...size, layout: 'rgba' },
      data: Uint8Array.from({ length: 32 }, (_, index) => (index % 4 === 3 ? alpha : 7)),
    });
    const pipeline = begun(screen(255), size);
    begun(
      { width: 9, height: 9, layout: 'rgb', data: new Uint8Array(243).fill(200) },
      { width: 20, height: 7 },
    );
    expect([...pipeline.begin(screen(3))]).toEqual([0, 0]);
  });

  test('are all rows of a black first screen', () => {
    const size = { width: 4, height: 3 };
    const changed = new RowPipeline(size, size, 3).begin({
      ...size,
      layout: 'rgba',
      data: new Uint8Array(48),
    });
    expect([...changed]).toEqual([1, 1, 1]);
  });

  const rowOf = (pixels: Pixels, row: number): string =>
    coloursOf(pixels)
      .subarray(3 * row * pixels.width, 3 * (row + 1) * pixels.width)
      .join();
});

describe('filtered rows', () => {
  const byte = fc.oneof(fc.constantFrom(0, 1, 127, 128, 255), fc.nat(255));
  /** Rows that repeat a pixel, repeat the row above with one change, or are noise. */
  const drawn = fc.integer({ min: 1, max: 40 }).chain(width => {
    const bytes = fc.array(byte, { minLength: 3 * width, maxLength: 3 * width });
    const pixel = fc.tuple(byte, byte, byte);
    const row = fc.oneof(
      pixel.map(each => () => Array.from({ length: 3 * width }, (_, at) => each[at % 3] ?? 0)),
      bytes.map(each => () => each),
      byte.map(last => (above: readonly number[]) => [...above.slice(0, -1), last]),
    );
    return fc.array(row, { minLength: 1, maxLength: 8 }).map((rows): Pixels => {
      let above: readonly number[] = new Array(3 * width).fill(0);
      const all = rows.flatMap(next => {
        above = next(above);
        return above;
      });
      return { width, height: rows.length, layout: 'rgb', data: Uint8Array.from(all) };
    });
  });
  const cases = drawn.chain(pixels => range(pixels.height).map(rows => ({ pixels, rows })));

  test('give a reader the rows back, every filter occurs, and the checksum is that of zlib', () => {
    const seen = new Set<number>();
    fc.assert(
      fc.property(cases, ({ pixels, rows }) => {
        const { bytes, adler } = begun(pixels, pixels).filtered(rows);
        const stride = 3 * pixels.width;
        const raw: number[] = [...new Uint8Array(stride), ...pixels.data].slice(
          rows.first * stride,
          (rows.first + 1) * stride,
        );
        for (let row = 0; row < rows.end - rows.first; row++) {
          const filter = bytes[row * (stride + 1)] ?? -1;
          seen.add(filter);
          for (let at = 0; at < stride; at++) {
            const [left, above] = [at < 3 ? 0 : raw[raw.length - 3], raw[raw.length - stride]];
            const predicted = [0, left, above][filter] ?? Number.NaN;
            raw.push(((bytes[row * (stride + 1) + 1 + at] ?? 0) + predicted) & 0xff);
          }
        }
        expect(raw.slice(stride)).toEqual([...pixels.data.slice(rows.first * stride, rows.end * stride)]);
        expect([...adlerBytes(adler)]).toEqual([...deflateSync(bytes).subarray(-4)]);
      }),
      { numRuns: 500 },
    );
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });

  test('of thousands of bright pixels have the checksum of zlib', () => {
    const size = { width: 500, height: 40 };
    const data = new Uint8Array(3 * 500 * 40).map((_, index) => 255 - (index % 7));
    const { bytes, adler } = begun({ ...size, layout: 'rgb', data }, size).filtered({ first: 0, end: 40 });
    expect([...adlerBytes(adler)]).toEqual([...deflateSync(bytes).subarray(-4)]);
  });
});
