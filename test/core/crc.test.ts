// Compares checksums with the values of their specifications.

import { describe, expect, test } from 'vitest';
import { crc32, crc32c } from '../../runtime/core/crc.ts';

const CHECK = new TextEncoder().encode('123456789');

describe('a checksum', () => {
  test.each([
    ['CRC-32', crc32, 0xcbf4_3926],
    ['CRC-32C', crc32c, 0xe306_9283],
  ])('%s of the digits 1 to 9 is what its catalogue says', (_, checksum, sum) => {
    expect(checksum(CHECK)).toBe(sum);
  });

  test.each([crc32, crc32c])('of no bytes is 0, and each bit of the input matters', sum => {
    expect(sum(new Uint8Array())).toBe(0);
    const sums = Array.from({ length: CHECK.length * 8 }, (_, bit) => {
      const other = CHECK.slice();
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return sum(other);
    });
    expect(new Set([sum(CHECK), ...sums]).size).toBe(CHECK.length * 8 + 1);
  });
});
