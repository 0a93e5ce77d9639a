// Writes GIF files of one picture, and uncompressed BMP files.

import { at } from '../../../core/at.ts';
import { indicesOf, joined, paletteOf } from './pictures-png.ts';
import { colourAt, type Raster } from './pictures-raster.ts';

export interface GifForm {
  readonly isInterlaced?: boolean;
  readonly isTransparent?: boolean;
  /** A palette in which each index is its own grey. */
  readonly isGrey?: boolean;
}

/** The rows of an interlaced file: every eighth row first, and so on. */
const INTERLACING = [
  { step: 8, first: 0 },
  { step: 8, first: 4 },
  { step: 4, first: 2 },
  { step: 2, first: 1 },
];

const little = (value: number): readonly number[] => [value & 255, (value >> 8) & 255];

export function gifOf(raster: Raster, form: GifForm): Uint8Array {
  const { width, height } = raster;
  const colours = new Uint8Array(768);
  if (form.isGrey) colours.set(Array.from({ length: 768 }, (_, index) => Math.floor(index / 3)));
  else colours.set(paletteOf(8));
  const indices = form.isGrey
    ? Array.from(
        { length: width * height },
        (_, pixel) => colourAt(raster, pixel % width, Math.floor(pixel / width))[1],
      )
    : indicesOf(raster, 8);
  const rows = Array.from({ length: height }, (_, row) => row);
  const order = form.isInterlaced
    ? INTERLACING.flatMap(({ step, first }) => rows.filter(row => row % step === first))
    : rows;
  const pixels = order.flatMap(row => indices.slice(row * width, (row + 1) * width));
  return Uint8Array.from([
    ...Array.from('GIF89a', character => character.charCodeAt(0)),
    ...[...little(width), ...little(height), 0xf7, 0, 0],
    ...colours,
    ...(form.isTransparent ? [0x21, 0xf9, 4, 1, 0, 0, at(indices, 0), 0] : []),
    ...[0x2c, 0, 0, 0, 0, ...little(width), ...little(height), form.isInterlaced ? 0x40 : 0, 8],
    ...blocksOf(compressed(pixels)),
    0x3b,
  ]);
}

function blocksOf(data: readonly number[]): readonly number[] {
  const blocks: number[] = [];
  for (let offset = 0; offset < data.length; offset += 255) {
    const block = data.slice(offset, offset + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

const CLEAR = 256;
const END = 257;

function compressed(pixels: readonly number[]): readonly number[] {
  const bytes: number[] = [];
  let [value, filled, bits] = [0, 0, 9];
  const write = (code: number): void => {
    value |= code << filled;
    for (filled += bits; filled >= 8; filled -= 8) {
      bytes.push(value & 255);
      value >>= 8;
    }
  };
  let codes = new Map<string, number>();
  write(CLEAR);
  let current = '';
  const codeOf = (key: string): number => codes.get(key) ?? Number(key);
  for (const pixel of pixels) {
    const longer = current === '' ? `${pixel}` : `${current},${pixel}`;
    if (current === '' || codes.has(longer)) {
      current = longer;
      continue;
    }
    write(codeOf(current));
    const next = END + 1 + codes.size;
    codes.set(longer, next);
    if (next === 1 << bits) bits += 1;
    if (next === 4094) {
      write(CLEAR);
      [codes, bits] = [new Map(), 9];
    }
    current = `${pixel}`;
  }
  write(codeOf(current));
  if (END + 1 + codes.size === 1 << bits && bits < 12) bits += 1;
  write(END);
  if (filled > 0) bytes.push(value & 255);
  return bytes;
}

export interface BmpForm {
  readonly bits: 8 | 24 | 32;
}

export function bmpOf(raster: Raster, { bits }: BmpForm): Uint8Array {
  const { width, height } = raster;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const indices = bits === 8 ? indicesOf(raster, 8) : [];
  const colours = bits === 8 ? paletteOf(8) : new Uint8Array(0);
  const table = Uint8Array.from({ length: bits === 8 ? 1024 : 0 }, (_, index) =>
    index % 4 === 3 ? 0 : (colours[Math.floor(index / 4) * 3 + 2 - (index % 4)] ?? 0),
  );
  const headerSize = bits === 32 ? 124 : 40;
  const start = 14 + headerSize + table.length;
  const header = new Uint8Array(14 + headerSize);
  const view = new DataView(header.buffer);
  header.set([0x42, 0x4d]);
  const fields: Readonly<Record<number, number>> = {
    ...{ 2: start + stride * height, 10: start, 14: headerSize, 18: width, 22: height },
    ...{ 26: 1 | (bits << 16), 30: bits === 32 ? 3 : 0, 34: stride * height },
    ...(bits === 32 && { 54: 0xff0000, 58: 0xff00, 62: 0xff, 66: 0xff000000 }),
  };
  for (const [offset, value] of Object.entries(fields)) view.setUint32(Number(offset), value, true);
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const place = (height - 1 - y) * stride + (x * bits) / 8;
      const [red, green, blue, alpha] = colourAt(raster, x, y);
      pixels.set(
        bits === 8 ? [at(indices, y * width + x)] : [blue, green, red, alpha].slice(0, bits / 8),
        place,
      );
    }
  return joined([header, table, pixels]);
}
