// Compares checksums with the values of their specifications.

import { describe, expect, test } from 'vitest';
import { CRC32, CRC32C, crcOf } from '../../runtime/core/crc.ts';

const CHECK = new TextEncoder().encode('123456789');

describe('a checksum', () => {
  test.each([
    ['CRC-32', CRC32, 0xcbf4_3926],
    ['CRC-32C', CRC32C, 0xe306_9283],
  ])('%s of the digits 1 to 9 is what its catalogue says', (_, polynomial, sum) => {
    expect(crcOf(polynomial)(CHECK)).toBe(sum);
  });

  test('of no bytes is 0, and each bit of the input matters', () => {
    const sum = crcOf(CRC32);
    expect(sum(new Uint8Array())).toBe(0);
    const sums = Array.from({ length: CHECK.length * 8 }, (_, bit) => {
      const other = CHECK.slice();
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return sum(other);
    });
    expect(new Set([sum(CHECK), ...sums]).size).toBe(CHECK.length * 8 + 1);
  });
});
