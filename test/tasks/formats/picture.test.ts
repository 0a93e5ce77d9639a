import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bmpOf, gifOf } from '../../../runtime/bench/osworld/cases/pictures-gif-bmp.ts';
import { jpegOf } from '../../../runtime/bench/osworld/cases/pictures-jpeg.ts';
import { type PngForm, pngOf } from '../../../runtime/bench/osworld/cases/pictures-png.ts';
import { drawn, photo } from '../../../runtime/bench/osworld/cases/pictures-raster.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { convert } from '../../../runtime/tasks/formats/picture/convert.ts';
import { planesAsColours } from '../../../runtime/tasks/formats/picture/jpeg-segments.ts';
import { openPicture } from '../../../runtime/tasks/formats/picture/open-picture.ts';
import {
  CHANNELS,
  type DecodedPicture,
  PictureError,
  type PictureMode,
} from '../../../runtime/tasks/formats/picture/picture.ts';
import { LANCZOS, resize } from '../../../runtime/tasks/formats/picture/resize.ts';
import { cropped, mirrored, opaqueBox } from '../../../runtime/tasks/formats/picture/shape.ts';

const raster = photo(seeded('picture'), [37, 29]);
const read = (bytes: Uint8Array): Promise<DecodedPicture> => openPicture(bytes).decode();
const ofSamples = (mode: PictureMode, width: number, samples: number[]): DecodedPicture => ({
  ...{ mode, width, height: samples.length / width / CHANNELS[mode], isMarkedTransparent: false },
  samples: Uint8Array.from(samples),
});

describe('PNG', () => {
  test.each<[PngForm['type'], PngForm['depth'], PictureMode]>([
    ['grey', 1, '1'],
    ['grey', 2, 'L'],
    ['grey', 16, 'I;16'],
    ['grey-alpha', 8, 'LA'],
    ['grey-alpha', 16, 'RGBA'],
    ['palette', 4, 'P'],
    ['colour', 16, 'RGB'],
    ['colour-alpha', 8, 'RGBA'],
  ])('%s with %d bits has mode %s, interlaced or not', async (type, depth, mode) => {
    const [plain, interlaced] = await Promise.all(
      [false, true].map(isInterlaced => read(pngOf(raster, { type, depth, isInterlaced }))),
    );
    expect(plain?.mode).toBe(mode);
    expect(interlaced).toEqual(plain);
  });

  test('keeps the samples of colours and alpha', async () => {
    expect((await read(pngOf(raster, { type: 'colour-alpha', depth: 8 }))).samples).toEqual(raster.rgba);
  });

  test('opens with a complete header, but truncated or damaged pixels are a PictureError', async () => {
    const bytes = pngOf(raster, { type: 'colour', depth: 8 });
    const truncated = openPicture(bytes.slice(0, bytes.length / 2));
    expect(truncated).toMatchObject({ width: 37, height: 29 });
    await expect(truncated.decode()).rejects.toThrow(PictureError);
    const damaged = bytes.slice();
    damaged[200] = (damaged[200] ?? 0) ^ 255;
    await expect(read(damaged)).rejects.toThrow(PictureError);
  });

  test.each([false, true])(
    'may have bytes after its last row, but not without end (interlaced: %s)',
    async isInterlaced => {
      const bytes = pngOf(raster, { type: 'colour', depth: 8, isInterlaced });
      const withMore = (count: number): Uint8Array => {
        const start = Buffer.from(bytes).indexOf('IDAT') + 4;
        const length = new DataView(bytes.buffer).getUint32(start - 8);
        const rows = inflateSync(bytes.subarray(start, start + length));
        const pixels = deflateSync(Buffer.concat([rows, Buffer.alloc(count)]));
        const head = Buffer.from(bytes.subarray(0, start));
        head.writeUInt32BE(pixels.length, start - 8);
        return Buffer.concat([head, pixels, bytes.subarray(start + length)]);
      };
      expect(await read(withMore(1000))).toEqual(await read(bytes));
      await expect(read(withMore(2 * 1024 * 1024))).rejects.toThrow(PictureError);
    },
  );
});

test('GIF and BMP files have the colours of their palette', async () => {
  const png = convert(await read(pngOf(raster, { type: 'palette', depth: 8 })), 'RGB');
  for (const bytes of [gifOf(raster, {}), gifOf(raster, { isInterlaced: true }), bmpOf(raster, { bits: 8 })])
    expect(convert(await read(bytes), 'RGB').samples).toEqual(png.samples);
});

test.each([257, 0xffff_ffff])('a BMP file that claims %d colours is a PictureError', count => {
  const bytes = bmpOf(raster, { bits: 8 });
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(46, count, true);
  expect(() => openPicture(bytes)).toThrow(PictureError);
});

test('a BMP file that claims very wide rows is a PictureError', async () => {
  const bytes = bmpOf(raster, { bits: 24 });
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(18, 2 ** 26, true);
  view.setInt32(22, 1, true);
  view.setUint16(28, 32, true);
  await expect(read(bytes)).rejects.toThrow('The BMP file is truncated');
});

test('BMP with 24 bits keeps the colours', async () => {
  const png = await read(pngOf(raster, { type: 'colour', depth: 8 }));
  expect((await read(bmpOf(raster, { bits: 24 }))).samples).toEqual(png.samples);
});

test('a fine JPEG is close to its source, and a truncated one is a PictureError', async () => {
  const bytes = jpegOf(raster, { coarseness: 0 });
  const { samples } = await read(bytes);
  const source = convert({ ...ofSamples('RGBA', 37, [...raster.rgba]) }, 'RGB').samples;
  expect(
    Math.max(...Array.from(samples, (value, index) => Math.abs(value - (source[index] ?? 0)))),
  ).toBeLessThan(8);
  await expect(read(bytes.slice(0, -2))).rejects.toThrow(PictureError);
});

describe('the greys of a JPEG file as OpenCV reads them', () => {
  const colour = jpegOf(raster, { coarseness: 2 });
  const greysOf = async (bytes: Uint8Array) => (await openPicture(bytes).greys?.())?.samples;

  test('are its brightness, whatever its colours are', async () => {
    const { samples } = await read(jpegOf(raster, { coarseness: 2, isGrey: true }));
    expect(await greysOf(colour)).toEqual(samples);
    expect(await greysOf(jpegOf(raster, { coarseness: 2, isGrey: true }))).toEqual(samples);
  });

  test('follow from the colours if it stores red, green and blue', async () => {
    const planes = planesAsColours(colour);
    expect(await greysOf(planes)).toEqual(convert(await read(planes), 'L').samples);
    expect(await greysOf(planes)).not.toEqual(await greysOf(colour));
  });

  test('are 128 in the missing part of a truncated file', async () => {
    const [whole, truncated] = await Promise.all([colour, colour.slice(0, colour.length * 0.7)].map(greysOf));
    expect(truncated?.subarray(0, 8)).toEqual(whole?.subarray(0, 8));
    expect(truncated?.at(-1)).toBe(128);
    expect(truncated).toHaveLength(37 * 29);
    expect(() => openPicture(colour.slice(0, 100))).toThrow(PictureError);
  });
});

test.each([[[]], [[1, 2, 3]], [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]], [[0xff, 0xd8, 0xff]]])(
  'the bytes %j are no picture',
  bytes => {
    expect(() => openPicture(Uint8Array.from(bytes))).toThrow(PictureError);
  },
);

describe('conversions as in Pillow', () => {
  test('greys weigh red, green and blue', () => {
    expect([...convert(ofSamples('RGB', 3, [255, 0, 0, 0, 255, 0, 0, 0, 255]), 'L').samples]).toEqual([
      76, 150, 29,
    ]);
  });

  test('hue and saturation are truncated', () => {
    expect([...convert(ofSamples('RGB', 2, [10, 200, 100, 255, 0, 1]), 'HSV').samples]).toEqual([
      ...[105, 242, 200],
      ...[254, 255, 255],
    ]);
  });

  test('errors of black and white spread to the neighbours', () => {
    const grey = convert(ofSamples('L', 4, new Array(16).fill(128)), '1');
    expect(grey.samples.filter(sample => sample === 255)).toHaveLength(8);
  });
});

test('a picture of one colour keeps it at every size', () => {
  const small = resize(ofSamples('RGB', 5, new Array(75).fill(77)), 13, 3, LANCZOS);
  expect(small.samples.every(sample => sample === 77)).toBe(true);
  expect([small.width, small.height]).toEqual([13, 3]);
});

test('mirroring twice changes nothing, and the opaque box bounds what has alpha', async () => {
  const picture = await read(pngOf(raster, { type: 'colour', depth: 8 }));
  expect(mirrored(mirrored(picture))).toEqual(picture);
  const spot = drawn(9, 8, (x, y) => [0, 0, 0, x >= 2 && x < 5 && y === 6 ? 9 : 0]);
  const box = opaqueBox(await read(pngOf(spot, { type: 'colour-alpha', depth: 8 })));
  expect(box).toEqual({ left: 2, top: 6, right: 5, bottom: 7 });
  expect(box && cropped(picture, box)).toMatchObject({ width: 3, height: 1 });
});
