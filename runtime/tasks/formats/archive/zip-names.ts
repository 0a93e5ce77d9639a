// The names in a ZIP archive, with folders. The files themselves are read in zip.ts.

const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const IS_UTF8 = 0x800;

/** The names of files and folders in the order of the archive's directory; undefined if it has no directory. */
export function zipNames(bytes: Uint8Array): readonly string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) return undefined;
  const names: string[] = [];
  let offset = view.getUint32(end + 16, true);
  for (let rest = view.getUint16(end + 10, true); rest > 0; rest--) {
    if (offset + ENTRY_BYTES > bytes.length || view.getUint32(offset, true) !== ENTRY) return undefined;
    const start = offset + ENTRY_BYTES;
    const length = view.getUint16(offset + 28, true);
    const encoding = (view.getUint16(offset + 8, true) & IS_UTF8) === 0 ? 'latin1' : 'utf-8';
    names.push(new TextDecoder(encoding).decode(bytes.subarray(start, start + length)));
    offset = start + length + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return names;
}
