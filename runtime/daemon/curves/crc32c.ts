// CRC-32C (Castagnoli), by which readers of event files notice damage, and its masked form as such files store it.

const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

export const crc32c = (bytes: Uint8Array): number =>
  (bytes.reduce((crc, byte) => (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0), 0xffff_ffff) ^
    0xffff_ffff) >>>
  0;

/** A checksum of bytes that hold checksums themselves is a weak one; turned and shifted it is not. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
}
