// Reads and writes safetensors: eight bytes with the length of a JSON header, the header, then the numbers. Each tensor
// also gets a checksum in the header's metadata, so that damage is noticed and the tensor named; files from elsewhere,
// which have none, are read as well. Says nothing about which tensors a network needs (layout.ts).

import { createHash } from 'node:crypto';
import {
  bytesOf,
  bytesPerNumber,
  countOf,
  type DType,
  dataFromBytes,
  type Tensor,
  type Tensors,
} from './tensor.ts';

/** What a file says of itself, in words of the writer's choice. */
export type Metadata = Readonly<Record<string, string>>;

export interface SafetensorsFile {
  readonly tensors: Tensors;
  readonly metadata: Metadata;
}

export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
}

const CODES: Readonly<Record<DType, string>> = {
  float32: 'F32',
  float64: 'F64',
  int32: 'I32',
  int64: 'I64',
  bool: 'BOOL',
  uint8: 'U8',
};
const TYPES = new Map(Object.entries(CODES).map(([dtype, code]) => [code, dtype as DType]));

const PREFIX = 8;
const CHECKSUM = 'sha256:';

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function encodeSafetensors({ tensors, metadata }: SafetensorsFile): Uint8Array {
  const header: Record<string, unknown> = {};
  const described: Record<string, string> = { ...metadata };
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const [name, { dtype, dims, data }] of Object.entries(tensors)) {
    const bytes = bytesOf(data);
    header[name] = { dtype: CODES[dtype], shape: dims, data_offsets: [offset, offset + bytes.length] };
    described[CHECKSUM + name] = checksum(bytes);
    parts.push(bytes);
    offset += bytes.length;
  }
  const json = new TextEncoder().encode(JSON.stringify({ __metadata__: described, ...header }));
  // The numbers start at a multiple of eight, so that readers can map them into memory as they are.
  const padded = Math.ceil(json.length / 8) * 8;
  const file = new Uint8Array(PREFIX + padded + offset).fill(0x20, PREFIX, PREFIX + padded);
  new DataView(file.buffer).setBigUint64(0, BigInt(padded), true);
  file.set(json, PREFIX);
  let at = PREFIX + padded;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

export function decodeSafetensors(file: Uint8Array): SafetensorsFile {
  const { header, start } = headerOf(file);
  const metadata: Record<string, string> = {};
  const sums = new Map<string, string>();
  for (const [key, value] of Object.entries(record(header['__metadata__'] ?? {}, 'the metadata'))) {
    if (typeof value !== 'string') throw new SafetensorsError(`The metadata '${key}' is not a text.`);
    if (key.startsWith(CHECKSUM)) sums.set(key.slice(CHECKSUM.length), value);
    else metadata[key] = value;
  }
  const tensors: Record<string, Tensor> = {};
  let end = 0;
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const { dtype, dims, from, to } = entryOf(name, entry);
    if (start + to > file.length) {
      throw new SafetensorsError(
        `The tensor '${name}' is cut off: the file ends ${start + to - file.length} bytes early.`,
      );
    }
    const bytes = file.subarray(start + from, start + to);
    const sum = sums.get(name);
    if (sum !== undefined && sum !== checksum(bytes)) {
      throw new SafetensorsError(`The tensor '${name}' is damaged: its numbers do not match their checksum.`);
    }
    tensors[name] = { dtype, dims, data: dataFromBytes(dtype, bytes) };
    end = Math.max(end, to);
  }
  if (start + end !== file.length) {
    throw new SafetensorsError(`The file has ${file.length - start - end} bytes that belong to no tensor.`);
  }
  return { tensors, metadata };
}

function headerOf(file: Uint8Array): { header: Record<string, unknown>; start: number } {
  if (file.length < PREFIX) throw new SafetensorsError('The file is too short to be a safetensors file.');
  const length = new DataView(file.buffer, file.byteOffset).getBigUint64(0, true);
  if (length > BigInt(file.length - PREFIX)) {
    throw new SafetensorsError(
      `The header should be ${length} bytes long, the file has ${file.length} in all.`,
    );
  }
  const start = PREFIX + Number(length);
  const text = new TextDecoder().decode(file.subarray(PREFIX, start));
  try {
    return { header: record(JSON.parse(text), 'the header'), start };
  } catch (error) {
    if (error instanceof SafetensorsError) throw error;
    throw new SafetensorsError(`The header is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new SafetensorsError(`In a safetensors file ${what} must be an object.`);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function entryOf(name: string, value: unknown): { dtype: DType; dims: number[]; from: number; to: number } {
  const { dtype: code, shape: dims, data_offsets: offsets } = record(value, `the entry of '${name}'`);
  const dtype = TYPES.get(String(code));
  if (dtype === undefined) {
    throw new SafetensorsError(
      `The tensor '${name}' has the type ${code}; known are ${[...TYPES.keys()].join(', ')}.`,
    );
  }
  if (!Array.isArray(dims) || !dims.every(isCount)) {
    throw new SafetensorsError(`The tensor '${name}' has no valid shape.`);
  }
  const [from, to] = Array.isArray(offsets) ? offsets : [];
  if (!isCount(from) || !isCount(to) || to - from !== countOf(dims) * bytesPerNumber(dtype)) {
    throw new SafetensorsError(
      `The tensor '${name}' of ${code} [${dims}] does not fit its place in the file.`,
    );
  }
  return { dtype, dims, from, to };
}
