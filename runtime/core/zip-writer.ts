// Writes ZIP archives whose sizes precede the content, so that the first entry can be read without the rest.
//
// Not a library: a daemon writes dozens of archives per second, and a library in plain JavaScript took four times as long to deflate
// and left 0.2 MB of garbage per archive.

import { deflateRawSync } from 'node:zlib';
import { crc32 } from './crc.ts';
import { ZIP_DEFLATED, ZIP_LOCAL, ZIP_LOCAL_BYTES, ZIP_STORED } from './zip-directory.ts';

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface ZipInput extends ZipEntry {
  /** Without compression: for PNGs and observations, which are compressed already, and for the first entry. */
  readonly stored?: boolean;
}

const DIRECTORY = 0x0201_4b50;
const END = 0x0605_4b50;
/** The first version of the zip format with deflate. */
const VERSION = 20;
/** The flag for UTF-8 names. */
const UTF8 = 0x800;
/** Midnight of 1 January 1980, the earliest time of the format. */
const NO_TIME = 0x21_0000;

/** Takes a quarter longer than the fastest level and gives smaller files. Small windows suit entries of a few kilobytes. */
const DEFLATE_OPTIONS = { level: 4, windowBits: 13, memLevel: 6 };

/** Deterministic: the same entries give the same bytes, since no time is written. */
export function zipped(entries: readonly ZipInput[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let length = 0;
  for (const { name, content, stored = false } of entries) {
    const encodedName = Buffer.from(name);
    const packed = stored ? content : deflateRawSync(content, DEFLATE_OPTIONS);
    const common: readonly Field[] = [
      [2, VERSION],
      [2, UTF8],
      [2, stored ? ZIP_STORED : ZIP_DEFLATED],
      [4, NO_TIME],
      [4, crc32(content)],
      [4, packed.length],
      [4, content.length],
      [2, encodedName.length],
      // No extra field.
      [2, 0],
    ];
    // No comment, disk 0, no attributes; then the offset of the entry.
    const directoryOnly: readonly Field[] = [
      [6, 0],
      [4, 0],
      [4, length],
    ];
    directory.push(record([4, DIRECTORY], [2, VERSION], ...common, ...directoryOnly), encodedName);
    parts.push(record([4, ZIP_LOCAL], ...common), encodedName, packed);
    length += ZIP_LOCAL_BYTES + encodedName.length + packed.length;
  }
  const count = entries.length;
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  // Disk 0; number of entries on this disk and in total; no comment.
  const end = record([4, END], [4, 0], [2, count], [2, count], [4, size], [4, length], [2, 0]);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

/** A little-endian integer of this number of bytes. */
type Field = readonly [bytes: number, value: number];

function record(...fields: readonly Field[]): Uint8Array {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of fields) offset = buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}
