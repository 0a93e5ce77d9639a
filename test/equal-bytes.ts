// Arrays of numbers with equal bytes are equal. vitest looks up each number as a property, which takes a second for a few pictures. It still
// compares all other arrays, and shows where they differ.

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
