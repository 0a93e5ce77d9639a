// Unpacks an archive into folders, as Python's `shutil.unpack_archive` does by the ending of the name.

import { inflateRawSync } from 'node:zlib';
import { ArchiveError, readZip, zipNames } from '../zip.ts';
import { readTar, TarError } from './tar.ts';

const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** The entries of one folder by name: the bytes of a file, or null for a folder. */
export type ArchiveFolder = ReadonlyMap<string, Uint8Array | null>;

/** The content of one folder of an archive; undefined if the archive has no such folder. */
export function readFolder(name: string, bytes: Uint8Array, path: string): ArchiveFolder | undefined {
  const parts = path.split('/').filter(part => part !== '' && part !== '.');
  const folder = new Map<string, Uint8Array | null>();
  let isThere = parts.length === 0;
  for (const [entry, content] of entriesOf(name, bytes)) {
    const names = entry.split('/').filter(part => part !== '' && part !== '.');
    if (names.includes('..') || !parts.every((part, index) => names[index] === part)) continue;
    const [first, ...deeper] = names.slice(parts.length);
    if (first === undefined) {
      isThere ||= entry.endsWith('/');
      continue;
    }
    isThere = true;
    if (deeper.length > 0 || entry.endsWith('/')) folder.set(first, null);
    else folder.set(first, content);
  }
  return isThere ? folder : undefined;
}

function entriesOf(name: string, bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  try {
    if (name.endsWith('.zip')) return zipEntries(bytes);
    if (name.endsWith('.tar')) return readTar(bytes);
    if (/\.(?:tar\.gz|tgz)$/.test(name)) return readTar(gunzip(bytes));
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof TarError || isGzipError(error))
      throw new ArchiveError(`The archive ${name} is damaged.`, { cause: error });
    throw error;
  }
  throw new ArchiveError(`The archive ${name} has an unknown format. Use .zip, .tar, .tar.gz or .tgz.`);
}

const HEADER_BYTES = 10;
const [HAS_CHECKSUM, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];

/** The content of a gzip file. As in Python, bytes behind its end do not matter, so the header is skipped here. */
function gunzip(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new TarError('The bytes are not a gzip file.');
  const flags = bytes[3] ?? 0;
  let offset = HEADER_BYTES;
  if (flags & HAS_EXTRA) offset += 2 + (bytes[offset] ?? 0) + 256 * (bytes[offset + 1] ?? 0);
  if (flags & HAS_NAME) offset = bytes.indexOf(0, offset) + 1;
  if (flags & HAS_COMMENT) offset = bytes.indexOf(0, offset) + 1;
  if (flags & HAS_CHECKSUM) offset += 2;
  return inflateRawSync(bytes.subarray(offset), { maxOutputLength: MAX_UNPACKED_BYTES });
}

/** The library leaves out folders; empty ones count as content too. */
function zipEntries(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const files = readZip(bytes);
  const folders = (zipNames(bytes) ?? []).filter(each => each.endsWith('/'));
  return new Map([...folders.map(each => [each, new Uint8Array()] as const), ...files]);
}

const isGzipError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^Z_|^ERR_/.test(error.code);
