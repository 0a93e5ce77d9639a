// Reads the directory of a zip archive: the names, sizes and places of its entries. Pure.

import { SourceError } from './source.ts';

export interface ArchiveEntry {
  readonly name: string;
  readonly method: number;
  readonly sum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** The place of its header in the file. */
  readonly at: number;
  readonly isEncrypted: boolean;
  readonly isLink: boolean;
}

export interface DirectoryPlace {
  readonly at: number;
  readonly bytes: number;
}

const END = 0x0605_4b50;
const END_BYTES = 22;
const ENTRY = 0x0201_4b50;
const ENTRY_BYTES = 46;
/** These values mean that the real ones are in records of zip64. */
const IN_ZIP64_16 = 0xffff;
const IN_ZIP64_32 = 0xffff_ffff;
const UNIX = 3;
const FILE_TYPE = 0xf000;
const LINK_TYPE = 0xa000;

/** `tail` is the end of the file. */
export function directoryPlace(tail: Uint8Array, path: string): DirectoryPlace {
  const view = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let from = view.length - END_BYTES; from >= 0; from--) {
    if (view.readUInt32LE(from) !== END || from + END_BYTES + view.readUInt16LE(from + 20) !== view.length)
      continue;
    const [count, bytes, at] = [
      view.readUInt16LE(from + 10),
      view.readUInt32LE(from + 12),
      view.readUInt32LE(from + 16),
    ];
    if (count === IN_ZIP64_16 || bytes === IN_ZIP64_32 || at === IN_ZIP64_32)
      throw new SourceError(
        `The archive '${path}' is of the kind zip64, with more than 65,534 files or 4 GB. Unpack it and give the folder.`,
      );
    return { at, bytes };
  }
  throw new SourceError(`The file '${path}' is no zip archive, or it is cut off. Make the archive again.`);
}

export function entriesIn(directory: Uint8Array, path: string): readonly ArchiveEntry[] {
  const view = Buffer.from(directory.buffer, directory.byteOffset, directory.byteLength);
  const entries: ArchiveEntry[] = [];
  let at = 0;
  while (at < view.length) {
    if (at + ENTRY_BYTES > view.length || view.readUInt32LE(at) !== ENTRY)
      throw new SourceError(`The directory of the archive '${path}' is damaged. Make the archive again.`);
    const nameEnd = at + ENTRY_BYTES + view.readUInt16LE(at + 28);
    const isUnix = view.readUInt8(at + 5) === UNIX;
    const mode = view.readUInt16LE(at + 40);
    entries.push({
      name: view.subarray(at + ENTRY_BYTES, nameEnd).toString('utf8'),
      method: view.readUInt16LE(at + 10),
      sum: view.readUInt32LE(at + 16),
      packedBytes: view.readUInt32LE(at + 20),
      bytes: view.readUInt32LE(at + 24),
      at: view.readUInt32LE(at + 42),
      isEncrypted: (view.readUInt16LE(at + 8) & 1) === 1,
      isLink: isUnix && (mode & FILE_TYPE) === LINK_TYPE,
    });
    at = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return entries;
}
