// The directory of a ZIP archive: the names, sizes and places of its entries. Pure. It knows nothing of the contents.

export interface ZipDirectoryEntry {
  readonly nameBytes: Uint8Array;
  /** The name is in UTF-8. Without this mark it should be in code page 437, but many programs write UTF-8 there too. */
  readonly isUtf8: boolean;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** The place of its header in the archive. */
  readonly at: number;
  readonly isEncrypted: boolean;
  readonly isLink: boolean;
}

/** 'zip64': more than 65,534 files or 4 GB. */
export type ZipFault = 'no-directory' | 'zip64' | 'damaged';

export class ZipDirectoryError extends Error {
  override readonly name = 'ZipDirectoryError';

  constructor(readonly fault: ZipFault) {
    super(`The archive cannot be read: ${fault}.`);
  }
}

export const ZIP_STORED = 0;
export const ZIP_DEFLATED = 8;
export const ZIP_LOCAL = 0x0403_4b50;
/** Without its name and its extra field, whose lengths are at 26 and 28. */
export const ZIP_LOCAL_BYTES = 30;

const END = 0x0605_4b50;
const END_BYTES = 22;
/** The end record with the longest comment. */
export const MAX_ZIP_END_BYTES = END_BYTES + 0xffff;

const ENTRY = 0x0201_4b50;
const ENTRY_BYTES = 46;
const ENCRYPTED = 1;
const UTF8 = 0x800;
const IN_ZIP64_16 = 0xffff;
const IN_ZIP64_32 = 0xffff_ffff;
const UNIX = 3;
const FILE_TYPE = 0xf000;
const LINK_TYPE = 0xa000;

/** Where the directory is. `tail` is the end of the archive: MAX_ZIP_END_BYTES, or all of it. */
export function zipDirectoryPlace(tail: Uint8Array): { readonly at: number; readonly bytes: number } {
  const view = viewOf(tail);
  for (let from = tail.length - END_BYTES; from >= Math.max(0, tail.length - MAX_ZIP_END_BYTES); from--) {
    if (view.getUint32(from, true) !== END) continue;
    const count = view.getUint16(from + 10, true);
    const [bytes, at] = [view.getUint32(from + 12, true), view.getUint32(from + 16, true)];
    if (count === IN_ZIP64_16 || bytes === IN_ZIP64_32 || at === IN_ZIP64_32)
      throw new ZipDirectoryError('zip64');
    return { at, bytes };
  }
  throw new ZipDirectoryError('no-directory');
}

export function zipEntries(directory: Uint8Array): readonly ZipDirectoryEntry[] {
  const view = viewOf(directory);
  const entries: ZipDirectoryEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + ENTRY_BYTES > directory.length || view.getUint32(at, true) !== ENTRY)
      throw new ZipDirectoryError('damaged');
    const flags = view.getUint16(at + 8, true);
    const nameEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true);
    const isUnix = view.getUint8(at + 5) === UNIX;
    entries.push({
      nameBytes: directory.subarray(at + ENTRY_BYTES, nameEnd),
      isUtf8: (flags & UTF8) !== 0,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
      isEncrypted: (flags & ENCRYPTED) !== 0,
      isLink: isUnix && (view.getUint16(at + 40, true) & FILE_TYPE) === LINK_TYPE,
    });
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
