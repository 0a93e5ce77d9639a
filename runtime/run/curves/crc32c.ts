// CRC-32C (Castagnoli) and its masked form, as TensorBoard's event files use it.

import { CRC32C, crcOf } from '../../core/crc.ts';

export const crc32c = crcOf(CRC32C);

/** TFRecord masks checksums, since the checksum of bytes that contain checksums is weak. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
}
