// Encodes a screen as a lossless PNG with eight bits per channel and no transparency. Compression takes most of the time, so the caller
// compresses the rows, synchronously or in another thread. Pure.

import { crc32 } from './crc.ts';
import type { Pixels, Size } from './screen.ts';

/** The rows of the PNG before compression with zlib. They are a copy: the pixels may change afterwards. */
export function pngRows({ width, height, layout, data }: Pixels): Uint8Array<ArrayBuffer> {
  const step = layout === 'rgba' ? 4 : 3;
  // Each row starts with the number of its filter; 0 means no filter.
  const rows = new Uint8Array(height * (1 + 3 * width));
  let [from, to] = [0, 0];
  for (let row = 0; row < height; row++) {
    to += 1;
    for (let column = 0; column < width; column++) {
      rows[to] = data[from] ?? 0;
      rows[to + 1] = data[from + 1] ?? 0;
      rows[to + 2] = data[from + 2] ?? 0;
      from += step;
      to += 3;
    }
  }
  return rows;
}

/** The file, from the compressed rows. */
export const pngOf = (size: Size, packed: Uint8Array): Uint8Array<ArrayBuffer> =>
  joined([pngStart(size), pngChunk('IDAT', packed), pngChunk('IEND')]);

/** Everything before the compressed rows. */
export function pngStart({ width, height }: Size): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, TRUE_COLOUR], 8);
  return joined([SIGNATURE, pngChunk('IHDR', header)]);
}

/** The compressed rows may be split into several chunks, of the name IDAT. */
export function pngChunk(
  name: 'IHDR' | 'IDAT' | 'IEND',
  ...parts: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const letters = Uint8Array.from(name, letter => letter.charCodeAt(0));
  const made = joined([EMPTY_WORD, letters, ...parts, EMPTY_WORD]);
  const end = made.length - EMPTY_WORD.length;
  const view = new DataView(made.buffer);
  view.setUint32(0, end - 8);
  view.setUint32(end, crc32(made.subarray(4, end)));
  return made;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The size in the header of the PNG; 0 × 0 if the header is missing. */
export function pngSize(png: Uint8Array): Size {
  if (png.length < 24) return { width: 0, height: 0 };
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const TRUE_COLOUR = 2;
/** The place of a length or a checksum. */
const EMPTY_WORD = new Uint8Array(4);
