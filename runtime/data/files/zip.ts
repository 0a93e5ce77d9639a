// Zip archives whose sizes precede the content, so that the first entry can be read without the rest. Every entry is checked against
// its CRC-32.
//
// Not a library: a daemon writes dozens of archives per second, and a library in plain JavaScript took four times as long to deflate
// and left 0.2 MB of garbage per archive.

import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { CRC32, crcOf } from '../../core/crc.ts';

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

const inflateInThread = promisify(inflateRaw);

/** Takes a quarter longer than the fastest level and gives smaller files. Small windows suit entries of a few kilobytes. */
const DEFLATE_OPTIONS = { level: 4, windowBits: 13, memLevel: 6 };

/** Deterministic: the same entries give the same bytes, since no time is written. */
export function zipped(entries: readonly ZipInput[]): Uint8Array {
  const written: WrittenEntry[] = [];
  let at = 0;
  for (const entry of entries) {
    const one = { ...packedIn(entry), at };
    written.push(one);
    at += HEADER + one.name.length + one.packed.length;
  }
  const directory = at;
  const length = written.reduce((sum, { name }) => sum + DIRECTORY_ENTRY + name.length, directory);
  const bytes = new Uint8Array(length + END_ENTRY);
  const view = viewOf(bytes);
  for (const one of written) {
    view.setUint32(one.at, LOCAL, true);
    writeAbout(view, one.at + 4, one);
    bytes.set(one.name, one.at + HEADER);
    bytes.set(one.packed, one.at + HEADER + one.name.length);
    view.setUint32(at, DIRECTORY, true);
    view.setUint16(at + 4, VERSION, true);
    writeAbout(view, at + 6, one);
    view.setUint32(at + 42, one.at, true);
    bytes.set(one.name, at + DIRECTORY_ENTRY);
    at += DIRECTORY_ENTRY + one.name.length;
  }
  view.setUint32(at, END, true);
  view.setUint16(at + 8, written.length, true);
  view.setUint16(at + 10, written.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return bytes;
}

interface WrittenEntry {
  readonly name: Uint8Array;
  readonly method: number;
  readonly sum: number;
  readonly size: number;
  readonly packed: Uint8Array;
  /** The offset of its header. */
  readonly at: number;
}

const packedIn = ({ name, content, stored = false }: ZipInput): Omit<WrittenEntry, 'at'> => ({
  name: new TextEncoder().encode(name),
  method: stored ? STORED : DEFLATED,
  sum: checksum(content),
  size: content.length,
  packed: stored ? content : deflateRawSync(content, DEFLATE_OPTIONS),
});

/** The fields that an entry has in its own header and, two bytes later, in the directory. */
function writeAbout(view: DataView, at: number, { name, method, sum, size, packed }: WrittenEntry): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 4, method, true);
  view.setUint16(at + 8, NO_DAY, true);
  view.setUint32(at + 10, sum, true);
  view.setUint32(at + 14, packed.length, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

/** Reads single entries of an archive. Inflates only the entries that are read, off the main thread, and at most MAX_INFLATED_BYTES. */
export class ZipReader {
  readonly #bytes: Uint8Array;
  readonly #places = new Map<string, ZipPlace>();
  #inflatedBytes = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    let at = 0;
    while (signatureAt(bytes, at) === LOCAL) {
      const place = placeOf(bytes, at);
      if (place.end > bytes.length) throw new ZipError('it ends too early');
      this.#places.set(nameOf(bytes, place), place);
      at = place.end;
    }
    if (signatureAt(bytes, at) !== DIRECTORY)
      throw new ZipError('it is cut off, or not an archive that Dartboard wrote');
  }

  /** Undefined when there is no such entry. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const place = this.#places.get(name);
    if (place === undefined) return undefined;
    const packed = this.#bytes.subarray(place.content, place.end);
    if (place.method === STORED) return checked(packed, place, name);
    this.#inflatedBytes += place.size;
    requireInflatable(place, this.#inflatedBytes, name);
    try {
      return checked(
        await inflateInThread(packed, { maxOutputLength: Math.max(1, place.size) }),
        place,
        name,
      );
    } catch (error) {
      throw error instanceof ZipError ? error : cannotInflate(name, error);
    }
  }
}

/** The first entry, or the number of bytes of the file that are needed to read it. */
export function firstEntry(bytes: Uint8Array): ZipEntry | { readonly needs: number } {
  if (bytes.length < HEADER) return { needs: HEADER };
  if (signatureAt(bytes, 0) !== LOCAL) throw new ZipError('it does not start like an archive');
  const place = placeOf(bytes, 0);
  if (place.end > bytes.length) return { needs: place.end };
  const name = nameOf(bytes, place);
  const packed = bytes.subarray(place.content, place.end);
  if (place.method === STORED) return { name, content: checked(packed, place, name) };
  requireInflatable(place, place.size, name);
  try {
    const content = inflateRawSync(packed, { maxOutputLength: Math.max(1, place.size) });
    return { name, content: checked(content, place, name) };
  } catch (error) {
    throw error instanceof ZipError ? error : cannotInflate(name, error);
  }
}

const LOCAL = 0x0403_4b50;
const DIRECTORY = 0x0201_4b50;
const END = 0x0605_4b50;
/** Sizes in bytes: of an entry's header and of its directory record, without the name; and of the end record. */
const HEADER = 30;
const DIRECTORY_ENTRY = 46;
const END_ENTRY = 22;
/** Of the zip format: the first with deflate. */
const VERSION = 20;
/** The flag for UTF-8 names. */
const UTF8 = 0x800;
/** 1 January 1980, the earliest date of the format. */
const NO_DAY = 0x21;
const STORED = 0;
const DEFLATED = 8;

interface ZipPlace {
  readonly method: number;
  readonly sum: number;
  readonly size: number;
  readonly name: number;
  readonly content: number;
  readonly end: number;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const signatureAt = (bytes: Uint8Array, at: number): number | undefined =>
  at + 4 <= bytes.length ? viewOf(bytes).getUint32(at, true) : undefined;

function placeOf(bytes: Uint8Array, at: number): ZipPlace {
  if (at + HEADER > bytes.length) throw new ZipError('it ends inside the header of an entry');
  const view = viewOf(bytes);
  const name = at + HEADER;
  const content = name + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return {
    method: view.getUint16(at + 8, true),
    sum: view.getUint32(at + 14, true),
    size: view.getUint32(at + 22, true),
    name,
    content,
    end: content + view.getUint32(at + 18, true),
  };
}

const nameOf = (bytes: Uint8Array, { name, content }: ZipPlace): string =>
  new TextDecoder().decode(bytes.subarray(name, content));

/** Of the entries that are read from one archive, together: a few kilobytes of compressed data can claim gigabytes. */
const MAX_INFLATED_BYTES = 1 << 26;

function requireInflatable({ method }: ZipPlace, inflatedBytes: number, name: string): void {
  if (method !== DEFLATED) throw new ZipError(`its entry ${name} uses an unknown compression method`);
  if (inflatedBytes > MAX_INFLATED_BYTES)
    throw new ZipError(`its entry ${name} inflates to more than ${MAX_INFLATED_BYTES >> 20} MB`);
}

const cannotInflate = (name: string, cause: unknown): ZipError =>
  new ZipError(`its entry ${name} cannot be inflated`, { cause });

function checked(content: Uint8Array, { size, sum }: ZipPlace, name: string): Uint8Array {
  if (content.length !== size || checksum(content) !== sum)
    throw new ZipError(`its entry ${name} is damaged`);
  return content;
}

const checksum = crcOf(CRC32);
