// Reads uncompressed BMP files with 1, 4, 8, 24 or 32 bits for each pixel.

import {
  checkSize,
  type DecodedPicture,
  emptyPalette,
  type OpenPicture,
  PictureError,
  type PictureMode,
  viewOf,
} from './picture.ts';

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly isTopDown: boolean;
  /** Where the rows begin. */
  readonly start: number;
  /** The place of red, green, blue and alpha in a pixel, for 24 and 32 bits. */
  readonly order: readonly number[];
  readonly palette: Uint8Array | undefined;
  readonly mode: PictureMode;
}

const RAW = 0;
const BITFIELDS = 3;
/** Of a palette: an index has at most eight bits. */
const MAX_COLOURS = 256;

export function openBmp(bytes: Uint8Array): OpenPicture {
  const layout = layoutOf(bytes);
  const { width, height, mode, palette } = layout;
  const header = { width, height, mode, isMarkedTransparent: false };
  return {
    format: 'bmp',
    ...header,
    decode: async (): Promise<DecodedPicture> => ({
      ...header,
      ...(mode === 'P' && palette && { palette }),
      samples: samplesOf(bytes, layout),
    }),
  };
}

function layoutOf(bytes: Uint8Array): Layout {
  const view = viewOf(bytes);
  const headerSize = view.getUint32(14, true);
  if (![40, 52, 56, 108, 124].includes(headerSize))
    throw new PictureError(`A BMP file with a header of ${headerSize} bytes is not supported.`);
  const signedHeight = view.getInt32(22, true);
  const [width, height] = [view.getUint32(18, true), Math.abs(signedHeight)];
  checkSize(width, height);
  const bits = view.getUint16(28, true);
  const compression = view.getUint32(30, true);
  if (![1, 4, 8, 24, 32].includes(bits) || (compression !== RAW && compression !== BITFIELDS))
    throw new PictureError(
      `A BMP file with ${bits} bits and compression ${compression} is not supported. Use 24 bits, uncompressed.`,
    );
  const start = view.getUint32(10, true);
  const shape = { width, height, bits, isTopDown: signedHeight < 0, start };
  if (bits > 8) {
    const order = compression === BITFIELDS ? fieldOrder(view, headerSize) : [2, 1, 0];
    return { ...shape, order, palette: undefined, mode: order.length === 4 ? 'RGBA' : 'RGB' };
  }
  const count = view.getUint32(46, true) || 1 << bits;
  if (count > MAX_COLOURS)
    throw new PictureError(
      `A BMP file with a palette of ${count} colours is not supported. Use at most ${MAX_COLOURS}.`,
    );
  const table = bytes.subarray(14 + headerSize, 14 + headerSize + 4 * count);
  const mode = isGrey(table, count) ? (count === 2 ? '1' : 'L') : 'P';
  return { ...shape, order: [], palette: paletteOf(table), mode };
}

/** The byte of each mask that the file gives for red, green, blue and perhaps alpha. */
function fieldOrder(view: DataView, headerSize: number): readonly number[] {
  const masks = [0, 1, 2, 3].map(index => view.getUint32(54 + 4 * index, true));
  const used = headerSize >= 56 && masks[3] !== 0 ? masks : masks.slice(0, 3);
  return used.map(mask => {
    const byte = [0xff, 0xff00, 0xff0000, 0xff000000].indexOf(mask);
    if (byte < 0) throw new PictureError(`A BMP file with the mask ${mask} is not supported.`);
    return byte;
  });
}

function isGrey(table: Uint8Array, count: number): boolean {
  return Array.from({ length: count }, (_, index) => index).every(index => {
    const grey = count === 2 ? index * 255 : index;
    return [0, 1, 2].every(channel => table[4 * index + channel] === grey);
  });
}

function paletteOf(table: Uint8Array): Uint8Array {
  const palette = emptyPalette();
  for (let index = 0; index < Math.min(256, table.length / 4); index++)
    for (let channel = 0; channel < 3; channel++)
      palette[4 * index + channel] = table[4 * index + 2 - channel] ?? 0;
  return palette;
}

function samplesOf(bytes: Uint8Array, layout: Layout): Uint8Array {
  const { width, height, bits, isTopDown, start, order, mode } = layout;
  const stride = Math.floor((width * bits + 31) / 32) * 4;
  if (start + stride * height > bytes.length) throw new PictureError('The BMP file is truncated.');
  const channels = Math.max(1, order.length);
  const samples = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const line = bytes.subarray(start + stride * (isTopDown ? row : height - 1 - row));
    for (let column = 0; column < width; column++) {
      const place = (row * width + column) * channels;
      if (bits > 8)
        order.forEach((byte, channel) => {
          samples[place + channel] = line[(column * bits) / 8 + byte] ?? 0;
        });
      else samples[place] = indexAt(line, column, bits) * (mode === '1' ? 255 : 1);
    }
  }
  return samples;
}

function indexAt(line: Uint8Array, column: number, bits: number): number {
  const bit = column * bits;
  return ((line[bit >> 3] ?? 0) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
}
