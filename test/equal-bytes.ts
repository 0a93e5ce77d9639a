// Arrays of numbers with equal bytes are equal. vitest compares each number by its name, which takes a second for a few pictures. Others
// are left to vitest, which shows where they differ.

import { expect } from 'vitest';

const isView = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

expect.addEqualityTesters([
  (one: unknown, other: unknown): true | undefined => {
    if (!isView(one) || !isView(other) || one.constructor !== other.constructor) return undefined;
    return bytesOf(one).equals(bytesOf(other)) || undefined;
  },
]);
