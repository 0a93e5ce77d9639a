// The checksum of zlib streams, from the checksums of its parts. Pure.

const MODULUS = 65_521;

/** Both sums of the checksum; those of no bytes are 1 and 0. */
export interface Adler32 {
  readonly low: number;
  readonly high: number;
}

export const EMPTY_ADLER: Adler32 = { low: 1, high: 0 };

/** The checksum of two runs of bytes, one after the other. */
export const adlerOfBoth = (first: Adler32, second: Adler32, secondLength: number): Adler32 => ({
  low: (first.low + second.low - 1 + MODULUS) % MODULUS,
  high: (first.high + second.high + (secondLength % MODULUS) * (first.low - 1 + MODULUS)) % MODULUS,
});

/** Big-endian, as at the end of a zlib stream. */
export const adlerBytes = ({ low, high }: Adler32): Uint8Array =>
  Uint8Array.of(high >> 8, high & 0xff, low >> 8, low & 0xff);
