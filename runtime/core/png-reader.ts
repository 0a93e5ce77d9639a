// Decodes PNG images from outside: 1 to 16 bits per channel, grey, palette or colour, without interlacing. Transparency is dropped, since
// a screen has none. Pure; every size is checked before memory is allocated.

import { inflateSync } from 'node:zlib';
import { messageOf } from './errors.ts';
import type { Pixels, Size } from './screen.ts';

export class PngError extends Error {
  override readonly name = 'PngError';
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Channels by colour type. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
const PALETTE_COLOUR = 3;
/** Of Node's zlib, in bytes. */
const MIN_CHUNK = 64;

interface Header extends Size {
  readonly depth: number;
  readonly colour: number;
  readonly channels: number;
}

/** Throws a PngError. `maxPixels` bounds the memory. */
export function decodePng(png: Uint8Array, maxPixels: number): Pixels {
  const chunks = chunksOf(png);
  const header = headerOf(chunks);
  const { width, height } = header;
  if (width * height > maxPixels)
    throw new PngError(
      `The image has ${width} × ${height} pixels, the limit is ${maxPixels} in all. Send a smaller image.`,
    );
  const rowBytes = Math.ceil((width * header.channels * header.depth) / 8);
  const rows = inflated(chunks, height * (1 + rowBytes));
  unfilter(rows, rowBytes, height, Math.max(1, (header.channels * header.depth) / 8));
  const palette = chunks.find(({ type }) => type === 'PLTE')?.content;
  if (header.colour === PALETTE_COLOUR && palette === undefined)
    throw new PngError("The image has palette colours and no palette 'PLTE'. Encode it again.");
  return { width, height, layout: 'rgb', data: coloursOf(header, rows, rowBytes, palette) };
}

interface Chunk {
  readonly type: string;
  readonly content: Uint8Array;
}

function chunksOf(png: Uint8Array): readonly Chunk[] {
  if (SIGNATURE.some((byte, at) => png[at] !== byte))
    throw new PngError(`The ${png.length} bytes are no PNG: the signature is missing. Send a PNG.`);
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + 12 <= png.length) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (at + 12 + length > png.length)
      throw new PngError(`The PNG ends within its chunk ${JSON.stringify(type)}. Send the whole file.`);
    chunks.push({ type, content: png.subarray(at + 8, at + 8 + length) });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
  throw new PngError("The PNG has no chunk 'IEND' at its end. Send the whole file.");
}

function headerOf(chunks: readonly Chunk[]): Header {
  const [first] = chunks;
  if (first?.type !== 'IHDR' || first.content.length !== 13)
    throw new PngError("The PNG has no header 'IHDR'. Encode it again.");
  const { content } = first;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, colour = 0, , , interlace] = content.subarray(8);
  const channels = CHANNELS.get(colour);
  const isDepth = colour === 0 || colour === PALETTE_COLOUR ? [1, 2, 4, 8, 16] : [8, 16];
  if (channels === undefined || !isDepth.includes(depth) || (colour === PALETTE_COLOUR && depth > 8))
    throw new PngError(`The PNG has ${depth} bits of colour type ${colour}. Encode it as 8-bit RGB.`);
  if (interlace !== 0)
    throw new PngError(`The PNG is interlaced by method ${interlace}. Encode it without interlacing.`);
  if (width === 0 || height === 0)
    throw new PngError(`The PNG has ${width} × ${height} pixels. Send a screen.`);
  return { width, height, depth, colour, channels };
}

function inflated(chunks: readonly Chunk[], bytes: number): Uint8Array {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content));
  let rows: Uint8Array;
  try {
    // One buffer for everything, instead of pieces that are joined.
    rows = inflateSync(packed, { maxOutputLength: bytes + 1, chunkSize: Math.max(bytes + 1, MIN_CHUNK) });
  } catch (cause) {
    throw new PngError(
      `The ${packed.length} bytes of pixels of the PNG cannot be inflated (${messageOf(cause)}). Send the whole file.`,
      { cause },
    );
  }
  if (rows.length !== bytes)
    throw new PngError(`The PNG has ${rows.length} bytes of pixels, expected ${bytes}. Encode it again.`);
  return rows;
}

/** Undoes the filter of each row in place: a row refers to the row above and to the pixel at its left. */
function unfilter(rows: Uint8Array, rowBytes: number, height: number, pixelBytes: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (1 + rowBytes) + 1;
    const filter = rows[start - 1] ?? 0;
    if (filter > 4) throw new PngError(`Row ${y} of the PNG has filter ${filter}. Use filters 0 to 4.`);
    // Browsers write screenshots with filter 2 on every row.
    if (filter === 0 || (filter === 2 && y === 0)) continue;
    const above = 1 + rowBytes;
    if (filter === 1) addAt(rows, start + pixelBytes, start + rowBytes, pixelBytes);
    else if (filter === 2) addAt(rows, start, start + rowBytes, above);
    else unfilterRow(rows, start, { filter, rowBytes, pixelBytes, isFirst: y === 0 });
  }
}

/** Adds to each byte the one `back` bytes before it. */
function addAt(rows: Uint8Array, from: number, to: number, back: number): void {
  for (let at = from; at < to; at++) rows[at] = (rows[at] ?? 0) + (rows[at - back] ?? 0);
}

interface FilteredRow {
  readonly filter: number;
  readonly rowBytes: number;
  readonly pixelBytes: number;
  readonly isFirst: boolean;
}

function unfilterRow(
  rows: Uint8Array,
  start: number,
  { filter, rowBytes, pixelBytes, isFirst }: FilteredRow,
): void {
  for (let x = 0; x < rowBytes; x++) {
    const at = start + x;
    const left = x >= pixelBytes ? (rows[at - pixelBytes] ?? 0) : 0;
    const above = isFirst ? 0 : (rows[at - 1 - rowBytes] ?? 0);
    const corner = !isFirst && x >= pixelBytes ? (rows[at - 1 - rowBytes - pixelBytes] ?? 0) : 0;
    rows[at] = (rows[at] ?? 0) + predicted(filter, left, above, corner);
  }
}

/** Of the filters 3 and 4. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function coloursOf(
  { width, height, depth, colour, channels }: Header,
  rows: Uint8Array,
  rowBytes: number,
  palette: Uint8Array = new Uint8Array(),
): Uint8Array {
  const data = new Uint8Array(3 * width * height);
  if (depth === 8 && (channels === 3 || channels === 4)) {
    copyColours(data, rows, { rowBytes, channels });
    return data;
  }
  const isGrey = channels <= 2;
  const scale = depth < 8 && colour !== PALETTE_COLOUR ? 255 / (2 ** depth - 1) : 1;
  let to = 0;
  for (let y = 0; y < height; y++) {
    const start = y * (1 + rowBytes) + 1;
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const value = sample(rows, start, x * channels + (isGrey ? 0 : channel), depth);
        data[to++] = colour === PALETTE_COLOUR ? (palette[3 * value + channel] ?? 0) : value * scale;
      }
    }
  }
  return data;
}

/** The usual format of screenshots: whole bytes of red, green and blue, and maybe transparency. */
function copyColours(
  data: Uint8Array,
  rows: Uint8Array,
  { rowBytes, channels }: { readonly rowBytes: number; readonly channels: number },
): void {
  let to = 0;
  for (let start = 1; start < rows.length; start += 1 + rowBytes) {
    if (channels === 3) {
      data.set(rows.subarray(start, start + rowBytes), to);
      to += rowBytes;
      continue;
    }
    for (let at = start; at < start + rowBytes; at += channels) {
      data[to] = rows[at] ?? 0;
      data[to + 1] = rows[at + 1] ?? 0;
      data[to + 2] = rows[at + 2] ?? 0;
      to += 3;
    }
  }
}

/** A sample of a row; the upper byte of one with 16 bits. */
function sample(rows: Uint8Array, start: number, index: number, depth: number): number {
  if (depth === 8) return rows[start + index] ?? 0;
  if (depth === 16) return rows[start + 2 * index] ?? 0;
  const bit = index * depth;
  const byte = rows[start + (bit >> 3)] ?? 0;
  return (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}
