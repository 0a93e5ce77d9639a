// Zip archives whose sizes precede the content, so that the first entry can be read without the rest. Every entry is checked against
// its CRC-32.
//
// Not a library: a daemon writes dozens of archives per second, and a library in plain JavaScript took four times as long to deflate
// and left 0.2 MB of garbage per archive.

import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { crc32 } from '../../core/crc.ts';

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface ZipInput extends ZipEntry {
  /** Without compression: for PNGs and observations, which are compressed already, and for the first entry. */
  readonly stored?: boolean;
}

export class ZipError extends Error {
  override readonly name = 'ZipError';
}

const LOCAL = 0x0403_4b50;
const DIRECTORY = 0x0201_4b50;
const END = 0x0605_4b50;
/** Size of an entry's header in bytes, without the name. */
const HEADER = 30;
/** The first version of the zip format with deflate. */
const VERSION = 20;
/** The flag for UTF-8 names. */
const UTF8 = 0x800;
/** Midnight of 1 January 1980, the earliest time of the format. */
const NO_TIME = 0x21_0000;
const STORED = 0;
const DEFLATED = 8;

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
      [2, stored ? STORED : DEFLATED],
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
    parts.push(record([4, LOCAL], ...common), encodedName, packed);
    length += HEADER + encodedName.length + packed.length;
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

/** Limit for all entries of one archive together: a few kilobytes of compressed data can claim gigabytes. */
const MAX_INFLATED_BYTES = 1 << 26;

const inflateInThread = promisify(inflateRaw);

/** Reads single entries of an archive. Inflates only the entries that are read, off the main thread, and at most MAX_INFLATED_BYTES. */
export class ZipReader {
  readonly #entries = new Map<string, PackedEntry>();
  #inflatedBytes = 0;

  constructor(bytes: Uint8Array) {
    let at = 0;
    while (signatureAt(bytes, at) === LOCAL) {
      const entry = entryAt(bytes, at);
      if (entry.end > bytes.length) throw new ZipError('it ends too early');
      this.#entries.set(entry.name, entry);
      at = entry.end;
    }
    if (signatureAt(bytes, at) !== DIRECTORY)
      throw new ZipError('it is cut off, or not an archive that Dartboard wrote');
  }

  /** Undefined when there is no such entry. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.method === STORED) return checked(entry, entry.packed);
    this.#inflatedBytes += entry.size;
    const options = inflateOptions(entry, this.#inflatedBytes);
    const content = await inflateInThread(entry.packed, options).catch((cause: unknown) =>
      failInflate(entry, cause),
    );
    return checked(entry, content);
  }
}

/** The first entry, or the number of bytes of the file that are needed to read it. */
export function firstEntry(bytes: Uint8Array): ZipEntry | { readonly needs: number } {
  if (bytes.length < HEADER) return { needs: HEADER };
  if (signatureAt(bytes, 0) !== LOCAL) throw new ZipError('it does not start like an archive');
  const entry = entryAt(bytes, 0);
  const { name, method, packed, end } = entry;
  if (end > bytes.length) return { needs: end };
  if (method === STORED) return { name, content: checked(entry, packed) };
  const options = inflateOptions(entry, entry.size);
  try {
    return { name, content: checked(entry, inflateRawSync(packed, options)) };
  } catch (error) {
    throw error instanceof ZipError ? error : failInflate(entry, error);
  }
}

/** `end` exceeds the archive if the entry is incomplete. */
interface PackedEntry {
  readonly name: string;
  readonly method: number;
  readonly sum: number;
  readonly size: number;
  readonly packed: Uint8Array;
  readonly end: number;
}

const viewOf = (bytes: Uint8Array, at: number) => Buffer.from(bytes.buffer, bytes.byteOffset + at);

const signatureAt = (bytes: Uint8Array, at: number): number | undefined =>
  at + 4 <= bytes.length ? viewOf(bytes, at).readUInt32LE() : undefined;

function entryAt(bytes: Uint8Array, at: number): PackedEntry {
  if (at + HEADER > bytes.length) throw new ZipError('it ends inside the header of an entry');
  const header = viewOf(bytes, at);
  const nameEnd = at + HEADER + header.readUInt16LE(26);
  const start = nameEnd + header.readUInt16LE(28);
  const end = start + header.readUInt32LE(18);
  return {
    name: new TextDecoder().decode(bytes.subarray(at + HEADER, nameEnd)),
    method: header.readUInt16LE(8),
    sum: header.readUInt32LE(14),
    size: header.readUInt32LE(22),
    packed: bytes.subarray(start, end),
    end,
  };
}

function inflateOptions({ name, method, size }: PackedEntry, inflatedBytes: number) {
  if (method !== DEFLATED) throw new ZipError(`its entry ${name} uses an unknown compression method`);
  if (inflatedBytes > MAX_INFLATED_BYTES)
    throw new ZipError(`its entry ${name} inflates to more than ${MAX_INFLATED_BYTES >> 20} MB`);
  return { maxOutputLength: Math.max(1, size) };
}

function failInflate({ name }: PackedEntry, cause: unknown): never {
  throw new ZipError(`its entry ${name} cannot be inflated`, { cause });
}

function checked({ name, size, sum }: PackedEntry, content: Uint8Array): Uint8Array {
  if (content.length !== size || crc32(content) !== sum) throw new ZipError(`its entry ${name} is damaged`);
  return content;
}
