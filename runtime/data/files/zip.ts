// Small archives in which every entry can be reached from the front: sizes stand before the content, so the first entry is
// had without reading the rest. Every entry is checked against its CRC-32. Knows nothing of what is inside.
//
// Written here and not by a library of JavaScript alone, which took four times as long to deflate and left a fifth of a megabyte of
// garbage: a daemon writes dozens of these a second.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { CRC32, crcOf } from '../../core/crc.ts';

export interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Packed extends Entry {
  /** PNGs and observations are packed already, and what is read first should not have to be unpacked. */
  readonly stored?: boolean;
}

export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** Takes a quarter longer than the fastest, and what comes out is smaller; windows of a few kilobytes, since that is what most entries are. */
const DEFLATING = { level: 4, windowBits: 13, memLevel: 6 };

/** The same entries give the same bytes: no time of day is in them. */
export function zipped(entries: readonly Packed[]): Uint8Array {
  const written: Written[] = [];
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

interface Written {
  readonly name: Uint8Array;
  readonly method: number;
  readonly sum: number;
  readonly size: number;
  readonly packed: Uint8Array;
  /** Where its header begins. */
  readonly at: number;
}

const packedIn = ({ name, content, stored = false }: Packed): Omit<Written, 'at'> => ({
  name: new TextEncoder().encode(name),
  method: stored ? STORED : DEFLATED,
  sum: checksum(content),
  size: content.length,
  packed: stored ? content : deflateRawSync(content, DEFLATING),
});

/** What stands of an entry in its own header and, two bytes further on, in the directory. */
function writeAbout(view: DataView, at: number, { name, method, sum, size, packed }: Written): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 4, method, true);
  view.setUint16(at + 8, NO_DAY, true);
  view.setUint32(at + 10, sum, true);
  view.setUint32(at + 14, packed.length, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

/** All entries by their names. */
export function unzipped(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  let at = 0;
  while (signatureAt(bytes, at) === LOCAL) {
    const place = placeOf(bytes, at);
    if (place.end > bytes.length) throw new ZipError('it ends too early');
    const { name, content } = entryAt(bytes, place);
    entries.set(name, content);
    at = place.end;
  }
  if (signatureAt(bytes, at) !== DIRECTORY)
    throw new ZipError('it is cut off, or no archive that was written here');
  return entries;
}

/** The first entry, or how many bytes of the file it takes to have it. */
export function firstEntry(bytes: Uint8Array): Entry | { readonly needs: number } {
  if (bytes.length < HEADER) return { needs: HEADER };
  if (signatureAt(bytes, 0) !== LOCAL) throw new ZipError('it does not begin as an archive');
  const place = placeOf(bytes, 0);
  return place.end > bytes.length ? { needs: place.end } : entryAt(bytes, place);
}

const LOCAL = 0x0403_4b50;
const DIRECTORY = 0x0201_4b50;
const END = 0x0605_4b50;
/** Bytes before an entry's name, in its own header and in the directory; and of what comes last. */
const HEADER = 30;
const DIRECTORY_ENTRY = 46;
const END_ENTRY = 22;
/** Of the format: the first that deflates. */
const VERSION = 20;
/** Says that names are UTF-8. */
const UTF8 = 0x800;
/** The first of January 1980, the earliest there is. */
const NO_DAY = 0x21;
const STORED = 0;
const DEFLATED = 8;

interface Place {
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

function placeOf(bytes: Uint8Array, at: number): Place {
  if (at + HEADER > bytes.length) throw new ZipError('it ends within the header of an entry');
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

function entryAt(bytes: Uint8Array, { method, sum, size, name, content: from, end }: Place): Entry {
  const named = new TextDecoder().decode(bytes.subarray(name, from));
  const packed = bytes.subarray(from, end);
  const content = method === STORED ? packed : inflated(packed, method, size, named);
  if (content.length !== size || checksum(content) !== sum)
    throw new ZipError(`its entry ${named} is damaged`);
  return { name: named, content };
}

/** No entry of ours is larger: a damaged size must not reserve memory without end. */
const LARGEST = 1 << 28;

function inflated(packed: Uint8Array, method: number, size: number, name: string): Uint8Array {
  if (method !== DEFLATED || size > LARGEST)
    throw new ZipError(`its entry ${name} is packed in an unknown way`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw new ZipError(`its entry ${name} cannot be unpacked`, { cause: error });
  }
}

const checksum = crcOf(CRC32);
