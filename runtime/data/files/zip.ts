// Small archives in which every entry can be reached from the front: sizes stand before the content, so the first entry is
// had without reading the rest. Every entry is checked against its CRC-32. Knows nothing of what is inside.

import { inflateSync, type Zippable, zipSync } from 'fflate';
import { CRC32, crcOf } from '../../contracts/crc.ts';

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

/** The same entries give the same bytes: no time of day is in them. */
const NO_TIME = new Date(1980, 0, 1);
/** Five times as fast as the highest, and hardly larger on what is kept here. */
const LEVEL = 4;

export function zipped(entries: readonly Packed[]): Uint8Array {
  const files: Zippable = {};
  for (const { name, content, stored = false } of entries)
    files[name] = [content, { level: stored ? 0 : LEVEL }];
  return zipSync(files, { mtime: NO_TIME });
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
/** Before an entry's name. */
const HEADER = 30;
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
    return inflateSync(packed, { out: new Uint8Array(size) });
  } catch (error) {
    throw new ZipError(`its entry ${name} cannot be unpacked`, { cause: error });
  }
}

const checksum = crcOf(CRC32);
