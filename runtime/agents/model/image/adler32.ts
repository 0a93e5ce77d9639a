// The checksum of zlib streams, which can be computed in parts. Pure.

const MODULUS = 65_521;
/** Sums of this many bytes stay below 2^31. */
const BLOCK = 3800;

/** Both sums of the checksum; those of no bytes are 1 and 0. */
export interface Adler32 {
  readonly low: number;
  readonly high: number;
}

export const EMPTY_ADLER: Adler32 = { low: 1, high: 0 };

export function adler32(bytes: Uint8Array): Adler32 {
  let { low, high } = EMPTY_ADLER;
  for (let start = 0; start < bytes.length; start += BLOCK) {
    const end = Math.min(start + BLOCK, bytes.length);
    for (let at = start; at < end; at++) {
      low = (low + (bytes[at] ?? 0)) | 0;
      high = (high + low) | 0;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return { low, high };
}

/** The checksum of two runs of bytes, one after the other. */
export const adlerOfBoth = (first: Adler32, second: Adler32, secondLength: number): Adler32 => ({
  low: (first.low + second.low - 1 + MODULUS) % MODULUS,
  high: (first.high + second.high + (secondLength % MODULUS) * (first.low - 1 + MODULUS)) % MODULUS,
});

/** Big-endian, as at the end of a zlib stream. */
export const adlerBytes = ({ low, high }: Adler32): Uint8Array =>
  Uint8Array.of(high >> 8, high & 0xff, low >> 8, low & 0xff);
