// Reads the first picture of a GIF file.

import {
  checkSize,
  type DecodedPicture,
  emptyPalette,
  type OpenPicture,
  PictureError,
  viewOf,
} from './picture.ts';

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  readonly colours: Uint8Array | undefined;
  readonly transparentIndex: number | undefined;
  /** Where the compressed pixels begin. */
  readonly start: number;
}

export function openGif(bytes: Uint8Array): OpenPicture {
  const view = viewOf(bytes);
  const flags = view.getUint8(10);
  const tableSize = flags & 128 ? 3 << ((flags & 7) + 1) : 0;
  const frame = firstFrame(bytes, 13 + tableSize);
  const width = Math.max(view.getUint16(6, true), frame.left + frame.width);
  const height = Math.max(view.getUint16(8, true), frame.top + frame.height);
  checkSize(width, height);
  const colours = coloured(frame.colours ?? bytes.subarray(13, 13 + tableSize));
  const isMarkedTransparent = frame.transparentIndex !== undefined;
  const header = { width, height, mode: colours ? 'P' : 'L', isMarkedTransparent } as const;
  return {
    format: 'gif',
    ...header,
    decode: async (): Promise<DecodedPicture> => ({
      ...header,
      samples: placed(frame, pixelsOf(bytes, frame), width, height),
      ...(colours && { palette: paletteOf(colours, frame.transparentIndex) }),
      ...(!colours &&
        frame.transparentIndex !== undefined && { transparentColour: [frame.transparentIndex] }),
    }),
  };
}

/** A table in which each colour is the grey of its own index makes a grey picture. */
function coloured(table: Uint8Array): Uint8Array | undefined {
  return table.some((value, index) => value !== Math.floor(index / 3)) ? table : undefined;
}

function paletteOf(colours: Uint8Array, transparentIndex: number | undefined): Uint8Array {
  const palette = emptyPalette();
  for (let index = 0; index < colours.length / 3; index++)
    palette.set(colours.subarray(3 * index, 3 * index + 3), 4 * index);
  if (transparentIndex !== undefined) palette[4 * transparentIndex + 3] = 0;
  return palette;
}

function firstFrame(bytes: Uint8Array, from: number): Frame {
  const view = viewOf(bytes);
  let transparentIndex: number | undefined;
  for (let offset = from; ; ) {
    const kind = view.getUint8(offset);
    if (kind === 0x3b) throw new PictureError('The GIF file has no picture.');
    if (kind === 0x2c) {
      const [left, top, width, height] = [1, 3, 5, 7].map(by => view.getUint16(offset + by, true)) as [
        number,
        number,
        number,
        number,
      ];
      const flags = view.getUint8(offset + 9);
      const tableSize = flags & 128 ? 3 << ((flags & 7) + 1) : 0;
      const start = offset + 10 + tableSize;
      const colours = tableSize > 0 ? bytes.subarray(offset + 10, start) : undefined;
      return {
        ...{ left, top, width, height, colours, transparentIndex, start },
        isInterlaced: (flags & 64) !== 0,
      };
    }
    if (kind !== 0x21) {
      offset += 1;
      continue;
    }
    if (view.getUint8(offset + 1) === 0xf9 && view.getUint8(offset + 3) & 1)
      transparentIndex = view.getUint8(offset + 6);
    offset += 2;
    for (let size = view.getUint8(offset); size > 0; size = view.getUint8(offset)) offset += 1 + size;
    offset += 1;
  }
}

function pixelsOf(bytes: Uint8Array, { start, width, height }: Frame): Uint8Array {
  const view = viewOf(bytes);
  const minBits = view.getUint8(start);
  if (minBits > 11) throw new PictureError(`The GIF file has codes of ${minBits} bits.`);
  const parts: Uint8Array[] = [];
  for (let offset = start + 1; offset < bytes.length; ) {
    const size = view.getUint8(offset);
    if (size === 0) break;
    parts.push(bytes.subarray(offset + 1, offset + 1 + size));
    offset += 1 + size;
  }
  return unpacked(Buffer.concat(parts), minBits, width * height);
}

const MAX_CODES = 4096;

/** Decodes LZW. Each code stands for the string of another code and one more byte. */
function unpacked(data: Uint8Array, minBits: number, count: number): Uint8Array {
  const clear = 1 << minBits;
  const prefix = new Uint16Array(MAX_CODES);
  const last = new Uint8Array(MAX_CODES);
  const length = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clear; code++) [last[code], length[code]] = [code, 1];
  const pixels = new Uint8Array(count);
  let [filled, next, bits, previous] = [0, clear + 2, minBits + 1, -1];
  for (let position = 0; filled < count; ) {
    if (position + bits > data.length * 8) throw new PictureError('The GIF file is truncated.');
    const code = bitsAt(data, position, bits);
    position += bits;
    if (code === clear) {
      [next, bits, previous] = [clear + 2, minBits + 1, -1];
      continue;
    }
    if (code === clear + 1) throw new PictureError('The GIF file ends before its last pixel.');
    if (code > next || (code === next && previous < 0))
      throw new PictureError('The GIF file has a code that it did not define.');
    if (previous >= 0 && next < MAX_CODES) {
      prefix[next] = previous;
      last[next] = firstByte(prefix, last, clear, code === next ? previous : code);
      length[next] = (length[previous] ?? 0) + 1;
      next += 1;
      if (next === 1 << bits && bits < 12) bits += 1;
    }
    const size = length[code] ?? 0;
    for (let index = filled + size - 1, part = code; index >= filled; index--) {
      if (index < count) pixels[index] = last[part] ?? 0;
      part = prefix[part] ?? 0;
    }
    filled += size;
    previous = code;
  }
  return pixels;
}

function firstByte(prefix: Uint16Array, last: Uint8Array, clear: number, code: number): number {
  let part = code;
  while (part >= clear) part = prefix[part] ?? 0;
  return last[part] ?? 0;
}

function bitsAt(data: Uint8Array, position: number, count: number): number {
  const byte = position >> 3;
  const word = (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16);
  return (word >> (position & 7)) & ((1 << count) - 1);
}

/** Puts the frame into the whole picture, whose other pixels are transparent or of the first colour. */
function placed(frame: Frame, pixels: Uint8Array, width: number, height: number): Uint8Array {
  const samples = new Uint8Array(width * height).fill(frame.transparentIndex ?? 0);
  const rows = rowOrder(frame.height, frame.isInterlaced);
  rows.forEach((row, index) => {
    const line = pixels.subarray(index * frame.width, (index + 1) * frame.width);
    samples.set(line, (frame.top + row) * width + frame.left);
  });
  return samples;
}

function rowOrder(height: number, isInterlaced: boolean): readonly number[] {
  const rows = Array.from({ length: height }, (_, row) => row);
  if (!isInterlaced) return rows;
  return [
    ...rows.filter(row => row % 8 === 0),
    ...rows.filter(row => row % 8 === 4),
    ...rows.filter(row => row % 4 === 2),
    ...rows.filter(row => row % 2 === 1),
  ];
}
