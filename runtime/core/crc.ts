// Cyclic redundancy checks of 32 bits. The constants are the polynomials with reversed bits.

/** Zip and PNG. */
export const CRC32 = 0xedb8_8320;
/** Event files of TensorBoard (Castagnoli). */
export const CRC32C = 0x82f6_3b78;

export function crcOf(polynomial: number): (bytes: Uint8Array) => number {
  const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
    let word = byte;
    for (let bit = 0; bit < 8; bit++) word = word & 1 ? polynomial ^ (word >>> 1) : word >>> 1;
    return word;
  });
  return bytes => {
    let word = 0xffff_ffff;
    // An index loop is twice as fast as for...of.
    for (let at = 0; at < bytes.length; at++)
      word = (remainders[(word ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (word >>> 8);
    return (word ^ 0xffff_ffff) >>> 0;
  };
}
