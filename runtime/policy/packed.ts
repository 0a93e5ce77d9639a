// A value as few bytes, and as one object: thousands of steps are kept, and a few of them are looked at in each update. Unpacked, a step
// is a dozen arrays and seven times as large.

import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Of plain data and typed arrays. */
export interface Packed<T> {
  readonly bytes: Uint8Array;
  readonly isDeflated: boolean;
  /** Never there: says what comes out again. */
  readonly of?: T;
}

/** Little work, and little memory for it: what is packed is small. */
const QUICK = { level: 1, windowBits: 12, memLevel: 5 };

export const packed = <T>(value: T): Packed<T> => ({
  // A copy: what deflating gives is a part of a larger piece of memory, all of which would be kept.
  bytes: new Uint8Array(deflateRawSync(serialize(value), QUICK)),
  isDeflated: true,
});

/** Of what is mostly deflated already, as observations are: once more would take time and leave as many bytes. */
export const bundled = <T>(value: T): Packed<T> => ({
  bytes: new Uint8Array(serialize(value)),
  isDeflated: false,
});

/** Nothing of it is shared with what is unpacked the next time: arrays look into the memory that they were read from. */
export const unpacked = <T>({ bytes, isDeflated }: Packed<T>): T =>
  deserialize(isDeflated ? inflateRawSync(bytes) : bytes.slice()) as T;
