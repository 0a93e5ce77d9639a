// Reads ZIP archives of unknown origin: office files, archives of agents, downloads. Sizes are checked before anything is unpacked, and each
// file against its CRC-32.

import { inflateRawSync } from 'node:zlib';
import { crc32 } from '../../core/crc.ts';
import {
  ZIP_DEFLATED,
  ZIP_LOCAL,
  ZIP_LOCAL_BYTES,
  ZIP_STORED,
  type ZipDirectoryEntry,
  ZipDirectoryError,
  zipDirectoryPlace,
  zipEntries,
} from '../../core/zip-directory.ts';

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** An archive that unpacks to more than this is refused. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

interface Entry extends ZipDirectoryEntry {
  readonly name: string;
}

/** The files of an archive by path, without folders. */
export function readZip(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  try {
    const entries = entriesOf(archive);
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    if (entries.length > MAX_ENTRIES || total > MAX_UNPACKED_BYTES)
      throw new ArchiveError(
        `The archive has ${entries.length} files of ${total} bytes. The limits are ${MAX_ENTRIES} files and ${MAX_UNPACKED_BYTES} bytes.`,
      );
    const files = entries.filter(({ name }) => !name.endsWith('/'));
    return new Map(files.map(entry => [entry.name, contentOf(archive, entry)]));
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('The bytes are not a ZIP archive, or it is damaged.', { cause: error });
  }
}

/** The names of files and folders in the order of the directory; undefined without a readable directory. */
export function zipNames(archive: Uint8Array): readonly string[] | undefined {
  try {
    return entriesOf(archive).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

function entriesOf(archive: Uint8Array): readonly Entry[] {
  const { at, bytes } = zipDirectoryPlace(archive);
  if (at + bytes > archive.length) throw new ZipDirectoryError('damaged');
  return zipEntries(archive.subarray(at, at + bytes)).map(entry => {
    if (entry.isEncrypted) throw new ArchiveError('The archive is encrypted.');
    const encoding = entry.isUtf8 ? 'utf-8' : 'latin1';
    return { ...entry, name: new TextDecoder(encoding).decode(entry.nameBytes) };
  });
}

function contentOf(archive: Uint8Array, { name, method, crc, packedBytes, bytes, at }: Entry): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  if (view.getUint32(at, true) !== ZIP_LOCAL)
    throw new ArchiveError(`The file ${name} of the archive is damaged.`);
  const start = at + ZIP_LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const packed = archive.subarray(start, start + packedBytes);
  if (method !== ZIP_STORED && method !== ZIP_DEFLATED)
    throw new ArchiveError(`The file ${name} of the archive has the unknown compression ${method}.`);
  const content = method === ZIP_STORED ? packed : inflated(packed, bytes);
  if (content.length !== bytes || crc32(content) !== crc)
    throw new ArchiveError(`The file ${name} of the archive is damaged.`);
  return content;
}

function inflated(packed: Uint8Array, bytes: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  return new Uint8Array(buffer, byteOffset, byteLength);
}
