// A value as one object: thousands of steps are kept, and a few of them are looked at in each update. What makes a step large is packed
// already, as observations are; the rest of it is a dozen objects, each of which a garbage collector would look at again and again.

import { deserialize, serialize } from 'node:v8';

/** Of plain data and typed arrays. */
export interface SerializedValue<T> {
  readonly bytes: Uint8Array;
  /** Never there: says what comes out again. */
  readonly of?: T;
}

export const serializeValue = <T>(value: T): SerializedValue<T> => ({
  bytes: new Uint8Array(serialize(value)),
});

/** Nothing of it is shared with what is unpacked the next time: arrays look into the memory that they were read from. */
export const deserializeValue = <T>({ bytes }: SerializedValue<T>): T => deserialize(bytes.slice()) as T;
