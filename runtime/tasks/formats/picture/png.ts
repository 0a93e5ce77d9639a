// Reads PNG files of every colour type and depth, interlaced or not.

import { inflateSync } from 'node:zlib';
import { sum } from '../../../core/sum.ts';
import {
  checkSize,
  type DecodedPicture,
  emptyPalette,
  type OpenPicture,
  PictureError,
  type PictureMode,
  viewOf,
} from './picture.ts';

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colourType: number;
  readonly isInterlaced: boolean;
}

/** The mode of Pillow by colour type, and by depth where it matters. */
const MODES: Readonly<Record<number, Readonly<Record<number, PictureMode>>>> = {
  0: { 1: '1', 2: 'L', 4: 'L', 8: 'L', 16: 'I;16' },
  2: { 8: 'RGB', 16: 'RGB' },
  3: { 1: 'P', 2: 'P', 4: 'P', 8: 'P' },
  4: { 8: 'LA', 16: 'RGBA' },
  6: { 8: 'RGBA', 16: 'RGBA' },
};
const CHANNELS_BY_TYPE: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

function* chunksOf(bytes: Uint8Array): Generator<Chunk> {
  const view = viewOf(bytes);
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    const length = view.getUint32(offset);
    const start = offset + 8;
    const type = String.fromCharCode(...bytes.subarray(offset + 4, start));
    yield { type, data: bytes.subarray(start, start + length) };
    offset = start + length + 4;
  }
}

export function openPng(bytes: Uint8Array): OpenPicture {
  let header: Header | undefined;
  let colours = new Uint8Array(0);
  let transparency: Uint8Array | undefined;
  const parts: Uint8Array[] = [];
  for (const { type, data } of chunksOf(bytes)) {
    if (type === 'IHDR') header = headerOf(data);
    else if (type === 'PLTE' && parts.length === 0) colours = Uint8Array.from(data);
    else if (type === 'tRNS' && parts.length === 0) transparency = data;
    else if (type === 'IDAT') parts.push(data);
    else if (parts.length > 0) break;
  }
  if (header === undefined || parts.length === 0)
    throw new PictureError('The PNG file has no header or no pixels.');
  const mode = modeOf(header);
  const marks = transparencyOf(mode, colours, transparency);
  const { width, height } = header;
  const shape = { width, height, mode, isMarkedTransparent: marks !== undefined, ...marks };
  const known = header;
  return {
    ...{ format: 'png', width, height, mode, isMarkedTransparent: shape.isMarkedTransparent },
    decode: async (): Promise<DecodedPicture> => ({
      ...(mode === 'P' && { palette: paletteOf(colours, undefined) }),
      ...shape,
      samples: toMode(pixelsOf(known, parts), known, mode),
    }),
  };
}

function headerOf(data: Uint8Array): Header {
  const view = viewOf(data);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  checkSize(width, height);
  const [depth, colourType, interlace] = [view.getUint8(8), view.getUint8(9), view.getUint8(12)];
  return { width, height, depth, colourType, isInterlaced: interlace !== 0 };
}

function modeOf({ colourType, depth }: Header): PictureMode {
  const mode = MODES[colourType]?.[depth];
  if (mode === undefined)
    throw new PictureError(`A PNG file cannot have colour type ${colourType} with ${depth} bits.`);
  return mode;
}

function transparencyOf(
  mode: PictureMode,
  colours: Uint8Array,
  data: Uint8Array | undefined,
): Pick<DecodedPicture, 'palette' | 'transparentColour'> | undefined {
  if (data === undefined) return undefined;
  if (mode === 'P') return { palette: paletteOf(colours, data) };
  const channels = { 1: 1, L: 1, 'I;16': 1, RGB: 3 }[mode as string];
  if (channels === undefined) return undefined;
  const view = viewOf(data);
  return { transparentColour: Array.from({ length: channels }, (_, index) => view.getUint16(2 * index)) };
}

function paletteOf(colours: Uint8Array, alphas: Uint8Array | undefined): Uint8Array {
  const palette = emptyPalette();
  for (let index = 0; index < Math.min(256, colours.length / 3); index++)
    palette.set(colours.subarray(3 * index, 3 * index + 3), 4 * index);
  alphas?.subarray(0, 256).forEach((alpha, index) => {
    palette[4 * index + 3] = alpha;
  });
  return palette;
}

/** Pillow ignores what follows the last row. */
const MAX_EXTRA_BYTES = 1024 * 1024;

function inflated(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  try {
    return inflateSync(Buffer.concat(parts), { maxOutputLength: bytes + MAX_EXTRA_BYTES });
  } catch (error) {
    throw new PictureError('The pixels of the PNG file are damaged.', { cause: error });
  }
}

/** The passes of Adam7: the first column and row, and the steps to the next. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 0, 1, 1]] as const;

interface Pass {
  readonly place: (typeof PASSES | typeof WHOLE)[number];
  readonly columns: number;
  readonly rows: number;
  /** Of a row, without the number of its filter. */
  readonly stride: number;
}

/** The passes that have pixels. */
const passesOf = ({ width, height, depth, isInterlaced }: Header, channels: number): readonly Pass[] =>
  (isInterlaced ? PASSES : WHOLE).flatMap(place => {
    const [left, top, stepX, stepY] = place;
    const columns = Math.ceil((width - left) / stepX);
    const rows = Math.ceil((height - top) / stepY);
    const stride = Math.ceil((columns * channels * depth) / 8);
    return columns < 1 || rows < 1 ? [] : [{ place, columns, rows, stride }];
  });

/** The samples of all pixels as numbers of `depth` bits. */
function pixelsOf(header: Header, parts: readonly Uint8Array[]): Uint16Array {
  const { width, height, depth, colourType } = header;
  const channels = CHANNELS_BY_TYPE[colourType] ?? 1;
  const passes = passesOf(header, channels);
  const bytes = sum(passes.map(({ rows, stride }) => rows * (1 + stride)));
  const data = inflated(parts, bytes);
  if (data.length < bytes) throw new PictureError('The PNG file is truncated.');
  const pixels = new Uint16Array(width * height * channels);
  let offset = 0;
  for (const { place, columns, rows, stride } of passes) {
    const [left, top, stepX, stepY] = place;
    let previous: Uint8Array = new Uint8Array(stride);
    for (let row = 0; row < rows; row++) {
      const line = data.subarray(offset + 1, offset + 1 + stride);
      unfilter(data[offset] ?? 0, line, previous, Math.max(1, (channels * depth) >> 3));
      const start = (top + row * stepY) * width + left;
      for (let sample = 0; sample < columns * channels; sample++) {
        const pixel = start + Math.floor(sample / channels) * stepX;
        pixels[pixel * channels + (sample % channels)] = sampleAt(line, sample, depth);
      }
      previous = line;
      offset += 1 + stride;
    }
  }
  return pixels;
}

function sampleAt(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index] ?? 0;
  if (depth === 16) return ((line[2 * index] ?? 0) << 8) | (line[2 * index + 1] ?? 0);
  const bit = index * depth;
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

/** Replaces the differences of a line with its bytes. */
function unfilter(type: number, line: Uint8Array, above: Uint8Array, distance: number): void {
  if (type > 4) throw new PictureError(`The PNG file has the unknown filter ${type}.`);
  if (type === 0) return;
  for (let index = 0; index < line.length; index++) {
    const a = index < distance ? 0 : (line[index - distance] ?? 0);
    const b = above[index] ?? 0;
    const c = index < distance ? 0 : (above[index - distance] ?? 0);
    const guess = type === 1 ? a : type === 2 ? b : type === 3 ? (a + b) >> 1 : paeth(a, b, c);
    line[index] = ((line[index] ?? 0) + guess) & 255;
  }
}

function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (toA <= toB && toA <= toC) return a;
  return toB <= toC ? b : c;
}

/** Brings samples of any depth to those of the mode. Of 16 bits the higher eight remain, except in mode I;16. */
function toMode(
  pixels: Uint16Array,
  { depth, colourType }: Header,
  mode: PictureMode,
): DecodedPicture['samples'] {
  if (mode === 'I;16') return pixels;
  if (depth === 16 && colourType === 4) {
    const samples = new Uint8Array(pixels.length * 2);
    for (let pixel = 0; pixel < pixels.length / 2; pixel++) {
      const grey = (pixels[2 * pixel] ?? 0) >> 8;
      samples.set([grey, grey, grey, (pixels[2 * pixel + 1] ?? 0) >> 8], 4 * pixel);
    }
    return samples;
  }
  if (depth === 16) return Uint8Array.from(pixels, sample => sample >> 8);
  const scale = mode === 'P' ? 1 : 255 / ((1 << depth) - 1);
  return Uint8Array.from(pixels, sample => sample * scale);
}
