// CRC-32C (Castagnoli), by which readers of event files notice damage, and its masked form as such files store it.

import { CRC32C, crcOf } from '../../core/crc.ts';

export const crc32c = crcOf(CRC32C);

/** A checksum of bytes that hold checksums themselves is a weak one; turned and shifted it is not. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
}
