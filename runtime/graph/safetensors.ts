// Reads and writes safetensors: eight bytes with the length of a JSON header, the header, then the numbers. The metadata contains a
// checksum of each tensor, so that damage is detected and the tensor named. Files of other programs without checksums are accepted.

import { createHash } from 'node:crypto';
import { sentenceOf } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import {
  bytesOf,
  bytesPerNumber,
  countOf,
  type DType,
  dataFromBytes,
  type Tensor,
  type Tensors,
} from './tensor.ts';

/** Metadata of a file: free-form strings of the writer. */
export type Metadata = Readonly<Record<string, string>>;

export interface SafetensorsFile {
  readonly tensors: Tensors;
  readonly metadata: Metadata;
}

export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';

  constructor(what: string, remedy = 'Copy the file again from its source.') {
    super(`${what} ${remedy}`);
  }
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
const METADATA = '__metadata__';
/** Prefix of checksum keys in the metadata: one per tensor, and the bare prefix for the other metadata. */
const CHECKSUM = 'sha256:';

const sha256 = (text: string, bytes: Uint8Array = new Uint8Array()): string =>
  createHash('sha256').update(text).update('\0').update(bytes).digest('hex');

/** Checksum of type, shape and numbers: a transposed shape is damage too. */
const tensorSum = (code: string, dims: readonly number[], bytes: Uint8Array): string =>
  sha256(`${code}[${dims}]`, bytes);

const metadataSum = (metadata: Metadata): string => sha256(JSON.stringify(Object.entries(metadata).sort()));

export function encodeSafetensors({ tensors, metadata }: SafetensorsFile): Uint8Array<ArrayBuffer> {
  assertNoReservedNames(tensors, metadata);
  const entries: [string, unknown][] = [];
  const sums: [string, string][] = [[CHECKSUM, metadataSum(metadata)]];
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const [name, { dtype, dims, data }] of Object.entries(tensors)) {
    const bytes = bytesOf(data);
    entries.push([name, { dtype: CODES[dtype], shape: dims, data_offsets: [offset, offset + bytes.length] }]);
    sums.push([CHECKSUM + name, tensorSum(CODES[dtype], dims, bytes)]);
    parts.push(bytes);
    offset += bytes.length;
  }
  const described = Object.fromEntries([...Object.entries(metadata), ...sums]);
  const json = new TextEncoder().encode(
    JSON.stringify(Object.fromEntries([[METADATA, described], ...entries])),
  );
  // The numbers start at a multiple of eight, so that readers can map them into memory directly.
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

function assertNoReservedNames(tensors: Tensors, metadata: Metadata): void {
  if (Object.hasOwn(tensors, METADATA))
    throw new SafetensorsError(`The tensor name '${METADATA}' is reserved.`, 'Rename the tensor.');
  const taken = Object.keys(metadata).find(key => key.startsWith(CHECKSUM));
  if (taken !== undefined)
    throw new SafetensorsError(`The metadata key '${taken}' is reserved for checksums.`, 'Rename the key.');
}

export function decodeSafetensors(file: Uint8Array): SafetensorsFile {
  const { header, start } = headerOf(file);
  const { metadata, sums } = metadataOf(header[METADATA]);
  const places = Object.entries(header)
    .filter(([name]) => name !== METADATA)
    .map(([name, entry]) => ({ name, ...entryOf(name, entry) }));
  assertContiguous(places, file.length - start);
  const tensors = places.map(({ name, dtype, dims, from, to }): [string, Tensor] => {
    const bytes = file.subarray(start + from, start + to);
    if (sums !== undefined && sums.get(name) !== tensorSum(CODES[dtype], dims, bytes)) {
      throw new SafetensorsError(`The tensor '${name}' is damaged: it does not match its checksum.`);
    }
    sums?.delete(name);
    return [name, { dtype, dims, data: dataFromBytes(dtype, bytes) }];
  });
  const [missing] = sums?.keys() ?? [];
  if (missing !== undefined)
    throw new SafetensorsError(`The tensor '${missing}' has a checksum but is not in the file.`);
  return { tensors: Object.fromEntries(tensors), metadata };
}

/** Whether the metadata names that format. A damaged file has none. */
export function hasFormat(file: Uint8Array, format: string): boolean {
  try {
    return decodeSafetensors(file).metadata['format'] === format;
  } catch (error) {
    if (error instanceof SafetensorsError) return false;
    throw error;
  }
}

/** Metadata and checksums by tensor; `sums` is undefined for files without checksums. */
function metadataOf(value: unknown): { metadata: Metadata; sums: Map<string, string> | undefined } {
  const entries = Object.entries(record(value ?? {}, 'the metadata')).map(([key, text]): [string, string] => {
    if (typeof text === 'string') return [key, text];
    throw new SafetensorsError(`The metadata '${key}' is not a text.`);
  });
  const metadata = Object.fromEntries(entries.filter(([key]) => !key.startsWith(CHECKSUM)));
  const sums = new Map(
    entries
      .filter(([key]) => key.startsWith(CHECKSUM))
      .map(([key, sum]) => [key.slice(CHECKSUM.length), sum]),
  );
  if (sums.size === 0) return { metadata, sums: undefined };
  if (sums.get('') !== metadataSum(metadata)) {
    throw new SafetensorsError(`The metadata is damaged: it does not match its checksum '${CHECKSUM}'.`);
  }
  sums.delete('');
  return { metadata, sums };
}

interface Place {
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Tensors must cover all bytes after the header, without gaps or overlaps. */
function assertContiguous(places: readonly (Place & { readonly name: string })[], length: number): void {
  let end = 0;
  for (const { name, from, to } of [...places].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== end) {
      throw new SafetensorsError(
        `The tensor '${name}' starts at byte ${from}, where the one before it ends at ${end}.`,
      );
    }
    if (to > length) {
      throw new SafetensorsError(
        `The tensor '${name}' is cut off: the file ends ${to - length} bytes early.`,
      );
    }
    end = to;
  }
  if (end !== length)
    throw new SafetensorsError(`The file has ${length - end} bytes that belong to no tensor.`);
}

function headerOf(file: Uint8Array): { header: Record<string, unknown>; start: number } {
  if (file.length < PREFIX)
    throw new SafetensorsError(
      `The file has ${file.length} bytes and is too short to be a safetensors file.`,
    );
  const length = new DataView(file.buffer, file.byteOffset).getBigUint64(0, true);
  if (length > BigInt(file.length - PREFIX)) {
    throw new SafetensorsError(
      `The header should be ${length} bytes long, the file has ${file.length} in all.`,
    );
  }
  const start = PREFIX + Number(length);
  const text = new TextDecoder().decode(file.subarray(PREFIX, start));
  return { header: record(parsed(text), 'the header'), start };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new SafetensorsError(`The header is not JSON (${text.length} characters): ${sentenceOf(error)}`);
  }
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new SafetensorsError(
    `In a safetensors file ${what} must be an object, but is '${excerpt(JSON.stringify(value))}'.`,
  );
}

const MAX_EXCERPT = 60;
/** A damaged or hostile file has values of any length. */
const excerpt = (text = ''): string => (text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function entryOf(name: string, value: unknown): Place {
  const { dtype: code, shape: dims, data_offsets: offsets } = record(value, `the entry of '${name}'`);
  const dtype = typeof code === 'string' ? TYPES.get(code) : undefined;
  if (dtype === undefined) {
    throw new SafetensorsError(
      `The tensor '${name}' has the type ${excerpt(typeof code === 'string' ? code : JSON.stringify(code))}; known are ${[...TYPES.keys()].join(', ')}.`,
      'Name a file that Dartboard wrote.',
    );
  }
  if (!Array.isArray(dims) || !dims.every(isCount)) {
    throw new SafetensorsError(`The tensor '${name}' has no valid shape.`);
  }
  const [from, to] = Array.isArray(offsets) ? offsets : [];
  if (!isCount(from) || !isCount(to) || to - from !== countOf(dims) * bytesPerNumber(dtype)) {
    throw new SafetensorsError(
      `The tensor '${name}' of ${code} [${excerpt(String(dims))}] does not fit its place in the file.`,
    );
  }
  return { dtype, dims, from, to };
}
