// A value serialised to one buffer. Buffers of thousands of steps keep a dozen objects per step out of the garbage collector's scans;
// an update deserialises only the few steps that it uses.

import { deserialize, serialize } from 'node:v8';

/** Serialised plain data and typed arrays. */
export interface SerializedValue<T> {
  readonly bytes: Uint8Array;
  /** Never set; carries the type. */
  readonly of?: T;
}

export const serializeValue = <T>(value: T): SerializedValue<T> => ({
  bytes: new Uint8Array(serialize(value)),
});

/** Each call returns independent memory: deserialised typed arrays are views of the buffer, so the buffer is copied. */
export const deserializeValue = <T>({ bytes }: SerializedValue<T>): T => deserialize(bytes.slice()) as T;
