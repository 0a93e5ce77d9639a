// Screens as PNGs, in bands that are compressed again only when their rows change.

import fc from 'fast-check';
import { decode as fastPng } from 'fast-png';
import { expect, test } from 'vitest';
import { BAND_ROWS, BandedPng } from '../../../../runtime/agents/model/image/banded-png.ts';
import { RowPipeline, type RowRange } from '../../../../runtime/agents/model/image/row-pipeline.ts';
import { ScreenEncoder } from '../../../../runtime/agents/model/image/screen-encoder.ts';
import type { Pixels, Size } from '../../../../runtime/core/screen.ts';
import { coloursOf, decode, pixelsOf, resizedByPillow, sizeUpTo } from './images.ts';

/** Heights of several bands. */
const size = sizeUpTo(9, 3 * BAND_ROWS + 2);
const RUNS = { numRuns: 40 };

/** Screens of one or two sizes: later ones repeat rows of earlier ones. */
const screens = fc.tuple(size, size).chain(([one, other]) =>
  fc.array(fc.oneof({ weight: 5, arbitrary: pixelsOf(one) }, pixelsOf(other)), {
    minLength: 1,
    maxLength: 5,
  }),
);

const sent = ({ width, height }: Size, target: Size): Size => ({
  width: target.width + (width % 2),
  height: target.height + (height % 3),
});

test('two decoders read the resized screen', async () => {
  await fc.assert(
    fc.asyncProperty(screens, size, async (all, target) => {
      const encoder = new ScreenEncoder(screen => sent(screen, target));
      for (const pixels of all) {
        const expected = resizedByPillow(pixels, sent(pixels, target));
        const png = await encoder.encode(pixels);
        expect(decode(png)).toEqual({ ...sent(pixels, target), data: expected });
        const { data, channels, depth } = fastPng(png, { checkCrc: true });
        expect([channels, depth, [...data]]).toEqual([3, 8, [...expected]]);
      }
    }),
    RUNS,
  );
});

test('equal pixels give equal bytes, whatever the earlier screens', async () => {
  await fc.assert(
    fc.asyncProperty(screens, size, async (all, target) => {
      const sizeOf = (screen: Size) => sent(screen, target);
      const encoder = new ScreenEncoder(sizeOf);
      for (const pixels of all) {
        const png = await encoder.encode(pixels);
        const alone = await new ScreenEncoder(sizeOf).encode({
          ...pixels,
          layout: 'rgb',
          data: coloursOf(pixels),
        });
        expect(Buffer.compare(png, alone)).toBe(0);
      }
    }),
    RUNS,
  );
});

test('an unchanged screen gives the same PNG again', async () => {
  await fc.assert(
    fc.asyncProperty(size.chain(pixelsOf), async pixels => {
      const encoder = new ScreenEncoder(screen => screen);
      const png = await encoder.encode(pixels);
      expect(await encoder.encode({ ...pixels, data: pixels.data.slice() })).toBe(png);
    }),
    RUNS,
  );
});

test('a screen may be drawn over as soon as the call returns', async () => {
  const pixels: Pixels = { width: 3, height: 50, layout: 'rgb', data: new Uint8Array(450).fill(7) };
  const encoding = new ScreenEncoder(screen => screen).encode(pixels);
  pixels.data.fill(9);
  expect(decode(await encoding).data).toEqual(new Uint8Array(450).fill(7));
});

test('several episodes encode at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(screens, { minLength: 2, maxLength: 3 }), size, async (episodes, target) => {
      const sizeOf = (screen: Size) => sent(screen, target);
      const encoders = episodes.map(() => new ScreenEncoder(sizeOf));
      for (let step = 0; step < 5; step++) {
        const pngs = await Promise.all(
          episodes.map(async (all, index) => {
            const pixels = all[step];
            return pixels && { pixels, png: await encoders[index]?.encode(pixels) };
          }),
        );
        for (const each of pngs)
          if (each !== undefined)
            expect(decode(each.png ?? new Uint8Array()).data).toEqual(
              resizedByPillow(each.pixels, sizeOf(each.pixels)),
            );
      }
    }),
    RUNS,
  );
});

test('a larger screen of another episode does not change an image that is being compressed', async () => {
  const filled = (width: number, height: number): Pixels => ({
    ...({ width, height, layout: 'rgb' } as const),
    data: Uint8Array.from({ length: 3 * width * height }, (_, at) => at >> 3),
  });
  // The shared memory grows, and what the smaller image had there is gone.
  const [small, large] = [filled(40, 60), filled(2000, 1500)];
  const [image] = await Promise.all(
    [small, large].map(pixels => new ScreenEncoder(screen => screen).encode(pixels)),
  );
  expect(decode(image ?? new Uint8Array()).data).toEqual(small.data);
});

test('only bands with changed rows are read again, and the band below a changed row', async () => {
  const all = new Uint8Array(3 * 4 * BAND_ROWS);
  const size = { width: 1, height: 4 * BAND_ROWS };
  let bands: number[] = [];
  const pipeline = new RowPipeline(size, size, BAND_ROWS);
  const png = new BandedPng({
    size,
    filtered: (range: RowRange) => {
      bands.push(range.first / BAND_ROWS);
      return pipeline.filtered(range);
    },
  });
  const encode = async (changed: number) => {
    bands = [];
    all.fill(200, 3 * changed, 3 * changed + 3);
    pipeline.begin({ ...size, layout: 'rgb', data: all });
    return decode(await png.encode(({ first, end }) => first <= changed && changed < end)).data;
  };
  await encode(0);
  expect(bands).toEqual([0, 1, 2, 3]);
  expect(await encode(BAND_ROWS + 5)).toEqual(all);
  expect(bands).toEqual([1]);
  expect(await encode(2 * BAND_ROWS - 1)).toEqual(all);
  expect(bands).toEqual([1, 2]);
});
