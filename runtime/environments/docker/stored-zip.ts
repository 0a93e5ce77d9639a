// Writes a ZIP archive without compression. Pure: no time is written, so equal entries give equal bytes.

import { crc32 } from '../../core/crc.ts';

const LOCAL = 0x0403_4b50;
const DIRECTORY = 0x0201_4b50;
const END = 0x0605_4b50;
const VERSION = 20;
/** Names are in UTF-8. */
const UTF8 = 0x800;
/** 1 January 1980, the earliest date of the format. */
const DATE = 0x21;

/** Numbers as little-endian bytes, each with its width. */
function numbers(...fields: readonly (readonly [width: 2 | 4, value: number])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}

export function storedZip(entries: Readonly<Record<string, string>>): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(entries)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const size = content.length;
    const common = numbers(
      ...([
        [2, VERSION],
        [2, UTF8],
        [2, 0],
        [2, 0],
        [2, DATE],
      ] as const),
      ...([
        [4, crc32(content)],
        [4, size],
        [4, size],
        [2, name.length],
        [2, 0],
      ] as const),
    );
    const entry = Buffer.concat([numbers([4, LOCAL]), common, name, content]);
    const rest = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(Buffer.concat([numbers([4, DIRECTORY], [2, VERSION]), common, rest, name]));
    files.push(entry);
    offset += entry.length;
  }
  const list = Buffer.concat(directory);
  const count = directory.length;
  const end = numbers(
    ...([
      [4, END],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as const),
    ...([
      [4, list.length],
      [4, offset],
      [2, 0],
    ] as const),
  );
  return Buffer.concat([...files, list, end]);
}
