// Tensors outside of a graph: type, dimensions and numbers.

import { at } from '../core/at.ts';

export type DType = 'float32' | 'float64' | 'int32' | 'int64' | 'bool' | 'uint8';

/** Array class of each type. */
const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  int64: BigInt64Array,
  bool: Uint8Array,
  uint8: Uint8Array,
} as const;

export type TensorData = InstanceType<(typeof ARRAYS)[DType]>;

export interface Tensor {
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly data: TensorData;
}

export type Tensors = Readonly<Record<string, Tensor>>;

export class TensorError extends Error {
  override readonly name = 'TensorError';
}

/** The tensor that the outputs or the state of a program must contain. */
export function tensorNamed(tensors: Tensors, name: string): Tensor {
  const found = tensors[name];
  if (found === undefined)
    throw new TensorError(
      `No tensor is named '${name}'. The program has: ${Object.keys(tensors).join(', ') || 'none'}. Use one of these names.`,
    );
  return found;
}

/** One number of a tensor, by its place in the flat data. */
export const tensorValue = ({ data }: Tensor, place: number): number =>
  Number(at<number | bigint>(data, place));

export const isFloat = (dtype: DType): boolean => dtype === 'float32' || dtype === 'float64';

export const bytesPerNumber = (dtype: DType): number => ARRAYS[dtype].BYTES_PER_ELEMENT;

export const countOf = (dims: readonly number[]): number => dims.reduce((count, dim) => count * dim, 1);

/** Creates a tensor; throws if the data does not match type and dimensions. */
export function tensor(dtype: DType, dims: readonly number[], data: TensorData): Tensor {
  const wrong = whatIsWrong(dtype, dims, data);
  if (wrong !== undefined) throw new TensorError(`Invalid ${dtype} tensor [${dims}]: ${wrong}.`);
  return { dtype, dims, data };
}

export function whatIsWrong(dtype: DType, dims: readonly number[], data: TensorData): string | undefined {
  if (!(data instanceof ARRAYS[dtype])) {
    return `its data is a ${data.constructor.name}, a ${ARRAYS[dtype].name} is needed`;
  }
  if (data.length !== countOf(dims)) {
    return `its data has ${data.length} numbers, ${countOf(dims)} are needed`;
  }
  // TypeScript excludes this case, but data from another process or from JavaScript may still be shared.
  if (data.buffer instanceof SharedArrayBuffer)
    return 'its data is shared memory, which ONNX Runtime refuses: copy it';
  return undefined;
}

export const zeros = (dtype: DType, dims: readonly number[]): Tensor => ({
  dtype,
  dims,
  data: new ARRAYS[dtype](countOf(dims)),
});

/** Integer range of each type; floats round. */
const RANGES: Readonly<Partial<Record<DType, readonly [number, number]>>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  bool: [0, 1],
  uint8: [0, 255],
};

/** Converts numbers to the array of a type; throws for numbers that the type cannot represent. */
export function arrayOf(dtype: DType, numbers: readonly number[]): TensorData {
  const range = RANGES[dtype];
  if (range !== undefined) {
    const lost = numbers.find(
      number => !(Number.isInteger(number) && number >= range[0] && number <= range[1]),
    );
    if (lost !== undefined) {
      throw new TensorError(`${dtype} cannot hold ${lost}; cast the value beside it to a float first.`);
    }
  }
  return dtype === 'int64' ? BigInt64Array.from(numbers, BigInt) : ARRAYS[dtype].from(numbers);
}

/** Converts bytes of a file or another process to numbers; copies them, so that alignment does not matter. */
export function dataFromBytes(dtype: DType, bytes: Uint8Array): TensorData {
  const copy = new Uint8Array(bytes);
  return new ARRAYS[dtype](copy.buffer, 0, copy.byteLength / bytesPerNumber(dtype));
}

export const bytesOf = (data: TensorData): Uint8Array<ArrayBuffer> =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
