// Writes PNG files of every colour type and depth.

import { zlibSync } from 'fflate';
import { at } from '../../../core/at.ts';
import { colourAt, type Raster } from './pictures-raster.ts';

export interface PngForm {
  readonly type: 'grey' | 'grey-alpha' | 'colour' | 'colour-alpha' | 'palette';
  readonly depth: 1 | 2 | 4 | 8 | 16;
  readonly isInterlaced?: boolean;
  /** Marks the colour of the first pixel, or every third colour of the palette, as transparent. */
  readonly isTransparent?: boolean;
}

const TYPES = {
  grey: [0, 1],
  colour: [2, 3],
  palette: [3, 1],
  'grey-alpha': [4, 2],
  'colour-alpha': [6, 4],
} as const;

export function pngOf(raster: Raster, form: PngForm): Uint8Array {
  const { width, height } = raster;
  const [type, channels] = TYPES[form.type];
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([form.depth, type, 0, 0, form.isInterlaced ? 1 : 0], 8);
  const samples = samplesOf(raster, form);
  const data = form.isInterlaced
    ? PASSES.flatMap(pass => passOf(samples, raster, channels, form.depth, pass))
    : passOf(samples, raster, channels, form.depth, [0, 0, 1, 1]);
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...(form.type === 'palette' ? [chunk('PLTE', paletteOf(form.depth))] : []),
    ...(form.isTransparent ? [chunk('tRNS', marksOf(samples, form, channels))] : []),
    chunk('IDAT', zlibSync(Uint8Array.from(data))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data.length + 12);
  const view = new DataView(result.buffer);
  view.setUint32(0, data.length);
  result.set(
    Array.from(type, character => character.charCodeAt(0)),
    4,
  );
  result.set(data, 8);
  view.setUint32(data.length + 8, crc(result.subarray(4, data.length + 8)));
  return result;
}

function crc(bytes: Uint8Array): number {
  let value = -1;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

/** The levels of red, green and blue in a palette with so many bits. */
const LEVELS = { 1: [2, 1, 1], 2: [2, 2, 1], 4: [2, 4, 2], 8: [6, 6, 6], 16: [0, 0, 0] } as const;

export function paletteOf(depth: PngForm['depth']): Uint8Array {
  const [reds, greens, blues] = LEVELS[depth];
  const colours: number[] = [];
  const level = (index: number, count: number): number => Math.round((index * 255) / Math.max(1, count - 1));
  for (let red = 0; red < reds; red++)
    for (let green = 0; green < greens; green++)
      for (let blue = 0; blue < blues; blue++)
        colours.push(level(red, reds), level(green, greens), level(blue, blues));
  return Uint8Array.from(colours);
}

export function indicesOf(raster: Raster, depth: PngForm['depth']): readonly number[] {
  const [reds, greens, blues] = LEVELS[depth];
  const step = (value: number, count: number): number => Math.round((value / 255) * (count - 1));
  return pixelsOf(
    raster,
    ([red = 0, green = 0, blue = 0]) =>
      (step(red, reds) * greens + step(green, greens)) * blues + step(blue, blues),
  );
}

const pixelsOf = <T>(raster: Raster, read: (colour: readonly number[]) => T): readonly T[] =>
  Array.from({ length: raster.width * raster.height }, (_, pixel) =>
    read(colourAt(raster, pixel % raster.width, Math.floor(pixel / raster.width))),
  );

function samplesOf(raster: Raster, { type, depth }: PngForm): readonly number[] {
  if (type === 'palette') return indicesOf(raster, depth);
  const top = 2 ** depth - 1;
  const deep = (value: number): number => Math.round((value * top) / 255);
  return pixelsOf(raster, ([red = 0, green = 0, blue = 0, alpha = 0]) => {
    const grey = Math.round(0.3 * red + 0.6 * green + 0.1 * blue);
    const colours = type.startsWith('grey') ? [grey] : [red, green, blue];
    return [...colours, ...(type.endsWith('alpha') ? [alpha] : [])].map(deep);
  }).flat();
}

function marksOf(samples: readonly number[], { type, depth }: PngForm, channels: number): Uint8Array {
  if (type === 'palette')
    return Uint8Array.from({ length: paletteOf(depth).length / 3 }, (_, index) => (index % 3 ? 255 : 0));
  return Uint8Array.from(samples.slice(0, channels).flatMap(value => [value >> 8, value & 255]));
}

function passOf(
  samples: readonly number[],
  { width, height }: Raster,
  channels: number,
  depth: number,
  [left, top, stepX, stepY]: readonly [number, number, number, number],
): readonly number[] {
  const bytes: number[] = [];
  let above: readonly number[] = [];
  for (let y = top; y < height && left < width; y += stepY) {
    const line: number[] = [];
    for (let x = left; x < width; x += stepX)
      line.push(...samples.slice((y * width + x) * channels, (y * width + x + 1) * channels));
    const raw = packed(line, depth);
    // Each filter appears in each larger picture.
    const filter = y % 5;
    bytes.push(filter, ...filtered(raw, above, filter, Math.max(1, (channels * depth) >> 3)));
    above = raw;
  }
  return bytes;
}

function packed(line: readonly number[], depth: number): readonly number[] {
  if (depth === 8) return line;
  if (depth === 16) return line.flatMap(value => [value >> 8, value & 255]);
  const bytes = new Array<number>(Math.ceil((line.length * depth) / 8)).fill(0);
  line.forEach((value, index) => {
    const bit = index * depth;
    bytes[bit >> 3] = at(bytes, bit >> 3) | (value << (8 - depth - (bit & 7)));
  });
  return bytes;
}

function filtered(
  raw: readonly number[],
  above: readonly number[],
  filter: number,
  distance: number,
): readonly number[] {
  return raw.map((value, index) => {
    const [a, b, c] = [raw[index - distance] ?? 0, above[index] ?? 0, above[index - distance] ?? 0];
    const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    const paeth = toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
    return (value - at([0, a, b, (a + b) >> 1, paeth], filter)) & 255;
  });
}
