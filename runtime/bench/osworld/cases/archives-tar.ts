// Writes TAR archives, and gzip files, with bytes that do not depend on the versions of libraries.

import { crc32 } from '../../../core/crc.ts';

const BLOCK = 512;

/** An archive of texts by path; a path that ends in a slash is a folder. */
export function tarOf(files: Readonly<Record<string, string>>): Uint8Array {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const content = new TextEncoder().encode(text);
    const padded = new Uint8Array(Math.ceil(content.length / BLOCK) * BLOCK);
    padded.set(content);
    return [headerOf(path, content.length), padded];
  });
  return Uint8Array.from(Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]));
}

function headerOf(path: string, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const write = (text: string, offset: number): void => header.set(new TextEncoder().encode(text), offset);
  const octal = (value: number, length: number): string => value.toString(8).padStart(length, '0');
  write(path, 0);
  write('0000644\0', 100);
  write(`${octal(size, 11)}\0`, 124);
  write(`${octal(0, 11)}\0`, 136);
  write(' '.repeat(8), 148);
  write(path.endsWith('/') ? '5' : '0', 156);
  write('ustar\0', 257);
  write('00', 263);
  write(
    `${octal(
      header.reduce((total, byte) => total + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return header;
}

/** A gzip file of one block that is not compressed. */
export function gzipOf(bytes: Uint8Array): Uint8Array {
  const file = new Uint8Array(15 + bytes.length + 8);
  const view = new DataView(file.buffer);
  file.set([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1]);
  view.setUint16(11, bytes.length, true);
  view.setUint16(13, ~bytes.length & 0xffff, true);
  file.set(bytes, 15);
  view.setUint32(15 + bytes.length, crc32(bytes), true);
  view.setUint32(19 + bytes.length, bytes.length, true);
  return file;
}
