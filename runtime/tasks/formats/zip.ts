// Reads ZIP archives of unknown origin: office files, archives of agents, downloads. Sizes are checked before anything is unpacked, and each
// file against its CRC-32.

import { inflateRawSync } from 'node:zlib';
import { crc32 } from '../../core/crc.ts';

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** An archive that unpacks to more than this is refused. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

const END = 0x0605_4b50;
const DIRECTORY = 0x0201_4b50;
const LOCAL = 0x0403_4b50;
/** Sizes of the records, without names and comments. */
const END_BYTES = 22;
const DIRECTORY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const UTF8 = 0x800;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

/** The files of an archive by path, without folders. */
export function readZip(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const view = viewOf(archive);
  try {
    const entries = entriesOf(archive, view);
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    if (entries.length > MAX_ENTRIES || total > MAX_UNPACKED_BYTES)
      throw new ArchiveError(
        `The archive has ${entries.length} files of ${total} bytes. The limits are ${MAX_ENTRIES} files and ${MAX_UNPACKED_BYTES} bytes.`,
      );
    const files = entries.filter(({ name }) => !name.endsWith('/'));
    return new Map(files.map(entry => [entry.name, contentOf(archive, view, entry)]));
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('The bytes are not a ZIP archive, or it is damaged.', { cause: error });
  }
}

/** The names of files and folders in the order of the directory; undefined without a readable directory. */
export function zipNames(archive: Uint8Array): readonly string[] | undefined {
  try {
    return entriesOf(archive, viewOf(archive)).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

function entriesOf(archive: Uint8Array, view: DataView): readonly Entry[] {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== DIRECTORY)
      throw new ArchiveError('The directory of the archive is damaged.');
    const flags = view.getUint16(at + 8, true);
    if ((flags & ENCRYPTED) !== 0) throw new ArchiveError('The archive is encrypted.');
    const nameBytes = view.getUint16(at + 28, true);
    const name = archive.subarray(at + DIRECTORY_BYTES, at + DIRECTORY_BYTES + nameBytes);
    entries.push({
      name: new TextDecoder((flags & UTF8) === 0 ? 'latin1' : 'utf-8').decode(name),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += DIRECTORY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The end record lies before a comment of any length. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--)
    if (view.getUint32(at, true) === END) return at;
  throw new ArchiveError('The bytes are not a ZIP archive, or its end is missing.');
}

function contentOf(archive: Uint8Array, view: DataView, entry: Entry): Uint8Array {
  const { name, method, crc, packedBytes, bytes, offset } = entry;
  if (view.getUint32(offset, true) !== LOCAL)
    throw new ArchiveError(`The file ${name} of the archive is damaged.`);
  const start = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const packed = archive.subarray(start, start + packedBytes);
  if (method !== STORED && method !== DEFLATED)
    throw new ArchiveError(`The file ${name} of the archive has the unknown compression ${method}.`);
  const content = method === STORED ? packed : inflated(packed, bytes);
  if (content.length !== bytes || crc32(content) !== crc)
    throw new ArchiveError(`The file ${name} of the archive is damaged.`);
  return content;
}

function inflated(packed: Uint8Array, bytes: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  return new Uint8Array(buffer, byteOffset, byteLength);
}
