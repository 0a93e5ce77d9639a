// Zip archives with any names, sizes and attributes, for tests of the reader.

import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../../runtime/core/crc.ts';

export interface ArchiveInput {
  readonly name: string;
  readonly content: Uint8Array;
  /** Wrong values for the directory. */
  readonly claimedBytes?: number;
  readonly isStored?: boolean;
  readonly isLink?: boolean;
  readonly isEncrypted?: boolean;
  readonly method?: number;
  /** The place of the header; the entry then shares the bytes of another one. */
  readonly at?: number;
}

export function archive(inputs: readonly ArchiveInput[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let length = 0;
  for (const input of inputs) {
    const { name, content, isStored = false, isLink = false, isEncrypted = false } = input;
    const packed = isStored ? Buffer.from(content) : deflateRawSync(content);
    const encoded = Buffer.from(name);
    const method = input.method ?? (isStored ? 0 : 8);
    const bytes = input.claimedBytes ?? content.length;
    const sum = crc32(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(sum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes, 18);
    common.writeUInt16LE(encoded.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x0201_4b50, 0);
    entry.writeUInt16LE(isLink ? 0x0314 : 20, 4);
    common.copy(entry, 6);
    entry.writeUInt32LE(isLink ? 0xa1ff_0000 : 0, 38);
    entry.writeUInt32LE(input.at ?? length, 42);
    directory.push(entry, encoded);
    if (input.at !== undefined) continue;
    const local = Buffer.alloc(4);
    local.writeUInt32LE(0x0403_4b50);
    const whole = Buffer.concat([local, common, encoded, packed]);
    parts.push(whole);
    length += whole.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(inputs.length, 8);
  end.writeUInt16LE(inputs.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(length, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}
