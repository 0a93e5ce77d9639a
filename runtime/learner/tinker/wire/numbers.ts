// Lists of numbers as the little-endian bytes that the protobuf messages contain.

import { WireError, type WireNumbers } from './messages.ts';

export const float32Bytes = (values: readonly number[]): Uint8Array =>
  new Uint8Array(Float32Array.from(values).buffer);

export function int32Bytes(values: readonly number[]): Uint8Array {
  for (const value of values)
    if (!Number.isInteger(value) || (value | 0) !== value)
      throw new WireError(`${value} is not a 32-bit integer. A token id is one.`);
  return new Uint8Array(Int32Array.from(values).buffer);
}

export function int64Bytes(values: readonly number[]): Uint8Array {
  const words = new Int32Array(2 * values.length);
  values.forEach((value, index) => {
    if (!Number.isSafeInteger(value))
      throw new WireError(
        `${value} is not an integer of at most 53 bits, but its tensor has the type int64.`,
      );
    words[2 * index] = value | 0;
    words[2 * index + 1] = Math.floor(value / WORD);
  });
  return new Uint8Array(words.buffer);
}

/** The numbers in which a tensor may arrive: DType of the protocol. */
export const ENCODED_NUMBERS = { 1: 'float32', 2: 'int64', 3: 'int32', 4: 'bfloat16' } as const;
export type EncodedNumbers = (typeof ENCODED_NUMBERS)[keyof typeof ENCODED_NUMBERS];

export const encodedNumbers = (code: number): EncodedNumbers => {
  const known: Readonly<Record<number, EncodedNumbers>> = ENCODED_NUMBERS;
  const type = known[code];
  if (type === undefined)
    throw new WireError(`A tensor has the unknown type ${code}. Known are 1 (float32) to 4 (bfloat16).`);
  return type;
};

export const codeOf = (type: WireNumbers): number => (type === 'float32' ? 1 : 2);

export const widened = (type: EncodedNumbers): WireNumbers =>
  type === 'float32' || type === 'bfloat16' ? 'float32' : 'int64';

const BYTES = { float32: 4, int64: 8, int32: 4, bfloat16: 2 } as const;

export const bytesPer = (type: EncodedNumbers): number => BYTES[type];

export function readNumbers(type: EncodedNumbers, bytes: Uint8Array): number[] {
  if (bytes.byteLength % BYTES[type] !== 0)
    throw new WireError(
      `A tensor of ${type} has ${bytes.byteLength} bytes, which is no multiple of ${BYTES[type]}. The message is damaged.`,
    );
  // A copy, because the bytes may begin at any address.
  const { buffer } = new Uint8Array(bytes);
  if (type === 'float32') return Array.from(new Float32Array(buffer));
  if (type === 'int32') return Array.from(new Int32Array(buffer));
  if (type === 'bfloat16') {
    const wide = Uint32Array.from(new Uint16Array(buffer), half => half << 16);
    return Array.from(new Float32Array(wide.buffer));
  }
  const words = new Int32Array(buffer);
  return Array.from({ length: words.length / 2 }, (_, index) => {
    const value = (words[2 * index + 1] ?? 0) * WORD + ((words[2 * index] ?? 0) >>> 0);
    if (!Number.isSafeInteger(value))
      throw new WireError(`A tensor of int64 contains ${value}, which exceeds 53 bits.`);
    return value;
  });
}

const WORD = 2 ** 32;
