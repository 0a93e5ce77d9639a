// A zip archive as a source. It reads the directory first and inflates one entry at a time, never to disk, so an entry cannot be
// written anywhere. data/files/zip.ts reads archives that Dartboard wrote; this one reads any.

import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { crc32 } from '../../core/crc.ts';
import { sum } from '../../core/sum.ts';
import {
  MAX_ZIP_END_BYTES,
  ZIP_DEFLATED,
  ZIP_LOCAL,
  ZIP_LOCAL_BYTES,
  ZIP_STORED,
  type ZipDirectoryEntry,
  ZipDirectoryError,
  type ZipFault,
  zipDirectoryPlace,
  zipEntries,
} from '../../core/zip-directory.ts';
import { MAX_ARCHIVED_TEXT_BYTES, MAX_DIRECTORY_BYTES, MAX_EXPANSION } from '../limits.ts';
import { whyUnsafe } from './names.ts';
import {
  isCandidate,
  type RefusedFile,
  SourceError,
  type SourceFiles,
  type SourceLine,
  tooLarge,
} from './source.ts';
import { linesOf } from './text-lines.ts';

const inflate = promisify(inflateRaw);

interface ArchiveEntry extends ZipDirectoryEntry {
  readonly name: string;
}

/** Small entries may expand more: a run of equal bytes. */
const FREE_EXPANSION_BYTES = 2 ** 20;

export async function openArchive(path: string): Promise<SourceFiles> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return new ArchiveFiles(path, file, await entriesOf(file, size, path), size);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function entriesOf(file: FileHandle, size: number, path: string): Promise<readonly ArchiveEntry[]> {
  try {
    const length = Math.min(size, MAX_ZIP_END_BYTES);
    const { at, bytes } = zipDirectoryPlace(await bytesAt(file, size - length, length));
    if (bytes > MAX_DIRECTORY_BYTES || at + bytes > size) throw new ZipDirectoryError('damaged');
    // Many programs write names in UTF-8 without the mark for it.
    const named = (entry: ZipDirectoryEntry) => ({ ...entry, name: Buffer.from(entry.nameBytes).toString() });
    return zipEntries(await bytesAt(file, at, bytes)).map(named);
  } catch (error) {
    throw error instanceof ZipDirectoryError ? new SourceError(FAULTS[error.fault](path)) : error;
  }
}

const FAULTS: Readonly<Record<ZipFault, (path: string) => string>> = {
  'no-directory': path => `The file '${path}' is no zip archive, or it is cut off. Make the archive again.`,
  zip64: path =>
    `The archive '${path}' is of the kind zip64, with more than 65,534 files or 4 GB. Unpack it and give the folder.`,
  damaged: path => `The directory of the archive '${path}' is damaged. Make the archive again.`,
};

class ArchiveFiles implements SourceFiles {
  readonly title: string;
  readonly above: readonly string[];
  readonly names: readonly string[];
  readonly candidates: readonly string[];
  readonly refused: readonly RefusedFile[];
  readonly #file: FileHandle;
  readonly #entries: ReadonlyMap<string, ArchiveEntry>;

  constructor(path: string, file: FileHandle, entries: readonly ArchiveEntry[], size: number) {
    // Entries that share their bytes are the cheapest way to a bomb.
    if (sum(entries.map(({ packedBytes }) => packedBytes)) > size)
      throw new SourceError(`The entries of the archive '${path}' overlap. Make the archive again.`);
    const files = entries.filter(({ name }) => !isIgnored(name));
    const checked = files.map(entry => ({ entry, why: whyRefused(entry) }));
    this.#file = file;
    this.#entries = new Map(
      checked.flatMap(({ entry, why }) => (why === undefined ? [[entry.name, entry]] : [])),
    );
    this.title = path;
    this.above = [basename(path).replace(/\.zip$/i, '')];
    this.names = [...this.#entries.keys()].sort();
    this.candidates = this.names.filter(isCandidate);
    this.refused = checked.flatMap(({ entry, why }) =>
      why === undefined ? [] : [{ file: entry.name, why }],
    );
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const entry = this.#entries.get(name);
    if (entry === undefined)
      throw new SourceError(`The archive '${this.title}' has no file '${name}'. Add it, and import again.`);
    if (entry.bytes > maxBytes) throw tooLarge(name, entry.bytes, maxBytes);
    const content = await this.#content(entry);
    if (content.length !== entry.bytes || crc32(content) !== entry.crc) throw damaged(name);
    return content;
  }

  async *lines(name: string, maxLineBytes: number): AsyncGenerator<SourceLine> {
    yield* linesOf([await this.read(name, MAX_ARCHIVED_TEXT_BYTES)], maxLineBytes);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #content({ name, at, packedBytes, bytes, method }: ArchiveEntry): Promise<Uint8Array> {
    const header = Buffer.from(await bytesAt(this.#file, at, ZIP_LOCAL_BYTES));
    if (header.length < ZIP_LOCAL_BYTES || header.readUInt32LE(0) !== ZIP_LOCAL) throw damaged(name);
    const start = at + ZIP_LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = await bytesAt(this.#file, start, packedBytes);
    if (packed.length !== packedBytes) throw damaged(name);
    if (method === ZIP_STORED) return packed;
    try {
      return new Uint8Array(await inflate(packed, { maxOutputLength: Math.max(1, bytes) }));
    } catch {
      throw damaged(name);
    }
  }
}

/** Files that operating systems add. */
const isIgnored = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(name);

function whyRefused({
  name,
  method,
  isEncrypted,
  isLink,
  packedBytes,
  bytes,
}: ArchiveEntry): string | undefined {
  const unsafe = whyUnsafe(name);
  if (unsafe !== undefined) return unsafe;
  if (isLink) return 'It is a symbolic link. Put the file itself into the archive.';
  if (isEncrypted) return 'It is encrypted. Make the archive without a password.';
  if (method !== ZIP_STORED && method !== ZIP_DEFLATED)
    return `It is compressed by method ${method}. Make the archive with DEFLATE, the default of most programs.`;
  if (method === ZIP_STORED && bytes !== packedBytes) return 'Its sizes disagree. Make the archive again.';
  if (bytes > FREE_EXPANSION_BYTES && bytes > MAX_EXPANSION * packedBytes)
    return `It expands ${Math.round(bytes / Math.max(1, packedBytes))} times, the limit is ${MAX_EXPANSION}. Unpack it yourself if you trust it.`;
  return undefined;
}

const damaged = (name: string): SourceError =>
  new SourceError(`The entry '${name}' of the archive is damaged. Make the archive again.`);

/** Fewer bytes at the end of the file. */
async function bytesAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
