// Reads the ZIP archives of core/zip-writer.ts: their sizes precede the content, so the first entry is read without the rest. Every entry is
// checked against its CRC-32.

import { promisify } from 'node:util';
import { inflateRaw, inflateRawSync } from 'node:zlib';
import { crc32 } from '../../core/crc.ts';
import { ZIP_DEFLATED, ZIP_LOCAL, ZIP_LOCAL_BYTES, ZIP_STORED } from '../../core/zip-directory.ts';
import type { ZipEntry } from '../../core/zip-writer.ts';

export class ZipError extends Error {
  override readonly name = 'ZipError';
}

const DIRECTORY = 0x0201_4b50;

/** Limit for all entries of one archive together: a few kilobytes of compressed data can claim gigabytes. */
export const MAX_INFLATED_BYTES = 1 << 26;

const inflateInThread = promisify(inflateRaw);

/** Reads single entries of an archive. Inflates only the entries that are read, off the main thread, and at most MAX_INFLATED_BYTES. */
export class ZipReader {
  readonly #entries = new Map<string, PackedEntry>();
  #inflatedBytes = 0;

  constructor(bytes: Uint8Array) {
    let at = 0;
    while (signatureAt(bytes, at) === ZIP_LOCAL) {
      const entry = entryAt(bytes, at);
      if (entry.end > bytes.length) throw new ZipError('it ends too early');
      this.#entries.set(entry.name, entry);
      at = entry.end;
    }
    if (signatureAt(bytes, at) !== DIRECTORY)
      throw new ZipError('it is cut off, or not an archive that Dartboard wrote');
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Undefined when there is no such entry. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.method === ZIP_STORED) return checked(entry, entry.packed);
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
  if (bytes.length < ZIP_LOCAL_BYTES) return { needs: ZIP_LOCAL_BYTES };
  if (signatureAt(bytes, 0) !== ZIP_LOCAL) throw new ZipError('it does not start like an archive');
  const entry = entryAt(bytes, 0);
  const { name, method, packed, end } = entry;
  if (end > bytes.length) return { needs: end };
  if (method === ZIP_STORED) return { name, content: checked(entry, packed) };
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
  if (at + ZIP_LOCAL_BYTES > bytes.length) throw new ZipError('it ends inside the header of an entry');
  const header = viewOf(bytes, at);
  const nameEnd = at + ZIP_LOCAL_BYTES + header.readUInt16LE(26);
  const start = nameEnd + header.readUInt16LE(28);
  const end = start + header.readUInt32LE(18);
  return {
    name: new TextDecoder().decode(bytes.subarray(at + ZIP_LOCAL_BYTES, nameEnd)),
    method: header.readUInt16LE(8),
    sum: header.readUInt32LE(14),
    size: header.readUInt32LE(22),
    packed: bytes.subarray(start, end),
    end,
  };
}

function inflateOptions({ name, method, size }: PackedEntry, inflatedBytes: number) {
  if (method !== ZIP_DEFLATED) throw new ZipError(`its entry ${name} uses an unknown compression method`);
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
