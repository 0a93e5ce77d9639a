// A value as few bytes, and as one object: thousands of steps are kept, and a few of them are looked at in each update. Unpacked, a step
// is a dozen arrays and seven times as large.

import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Of plain data and typed arrays. */
export interface Packed<T> {
  readonly bytes: Uint8Array;
  /** Never there: says what comes out again. */
  readonly of?: T;
}

/** Little work, and little memory for it: what is packed is small. */
const QUICK = { level: 1, windowBits: 12, memLevel: 5 };

export const packed = <T>(value: T): Packed<T> => ({
  // A copy: what deflating gives is a part of a larger piece of memory, all of which would be kept.
  bytes: new Uint8Array(deflateRawSync(serialize(value), QUICK)),
});

export const unpacked = <T>({ bytes }: Packed<T>): T => deserialize(inflateRawSync(bytes)) as T;
