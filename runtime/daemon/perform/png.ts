// Writes a screen as a PNG: eight bits a channel, no transparency, lossless.

import { deflateSync } from 'node:zlib';
import type { Pixels } from '../../contracts/screen.ts';

export function encodePng({ width, height, layout, data }: Pixels): Uint8Array<ArrayBuffer> {
  const step = layout === 'rgba' ? 4 : 3;
  // Each row begins with the number of its filter; 0 takes it as it is.
  const rows = new Uint8Array(height * (1 + 3 * width));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = (row * width + column) * step;
      rows.set(data.subarray(from, from + 3), row * (1 + 3 * width) + 1 + 3 * column);
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, TRUE_COLOUR], 8);
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND'),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const TRUE_COLOUR = 2;

function chunk(name: string, content: Uint8Array = new Uint8Array()): Uint8Array {
  const made = new Uint8Array(12 + content.length);
  const view = new DataView(made.buffer);
  view.setUint32(0, content.length);
  made.set(new TextEncoder().encode(name), 4);
  made.set(content, 8);
  view.setUint32(8 + content.length, checksum(made.subarray(4, 8 + content.length)));
  return made;
}

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit++) word = word & 1 ? 0xedb8_8320 ^ (word >>> 1) : word >>> 1;
  return word;
});

function checksum(bytes: Uint8Array): number {
  let word = 0xffff_ffff;
  for (const byte of bytes) word = (REMAINDERS[(word ^ byte) & 0xff] ?? 0) ^ (word >>> 8);
  return (word ^ 0xffff_ffff) >>> 0;
}
