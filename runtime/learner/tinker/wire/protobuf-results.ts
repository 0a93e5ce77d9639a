// The protobuf encoding of the results of training and sampling, for both sides.
//
// The outputs of rows are encoded together: one list of numbers per name, with the place in it where each row begins. Rows with other names,
// types or inner dimensions begin a new record.

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { at } from '../../../core/at.ts';
import {
  fixed64,
  integersInto,
  readEntry,
  readFields,
  sized,
  varint,
  writeBytes,
  writeInteger,
  writeIntegers,
  writeMap,
  writeMessage,
  writeText,
} from './fields.ts';
import { type ForwardBackwardResult, WireError, type WireRecord, type WireTensor } from './messages.ts';
import {
  bytesPer,
  codeOf,
  encodedNumbers,
  float32Bytes,
  int64Bytes,
  readNumbers,
  widened,
} from './numbers.ts';

export function encodeResult({ outputType, outputs, metrics }: ForwardBackwardResult): Uint8Array {
  const writer = new BinaryWriter();
  writeText(writer, 1, outputType);
  for (const rows of alike(outputs))
    writeMessage(writer, 2, () => {
      writeText(writer, 1, outputType);
      const columns = Object.keys(rows[0] ?? {}).map(
        name => [name, rows.flatMap(row => row[name] ?? [])] as const,
      );
      writeMap(writer, 2, Object.fromEntries(columns), tensors =>
        writeMessage(writer, 2, () => writeColumn(writer, tensors)),
      );
      writeInteger(writer, 3, rows.length);
    });
  writeMap(writer, 3, metrics, value => writer.tag(2, WireType.Bit64).double(value));
  return writer.finish();
}

/** Runs of rows that fit into one record. */
function alike(outputs: readonly WireRecord[]): readonly (readonly WireRecord[])[] {
  const runs: { readonly form: string; readonly rows: WireRecord[] }[] = [];
  for (const row of outputs) {
    const form = JSON.stringify(
      Object.keys(row)
        .sort()
        .map(name => [name, row[name]?.type, inner(row[name])]),
    );
    const last = runs.at(-1);
    if (last?.form === form) last.rows.push(row);
    else runs.push({ form, rows: [row] });
  }
  return runs.map(({ rows }) => rows);
}

const inner = (tensor: WireTensor | undefined): readonly number[] => tensor?.shape?.slice(1) ?? [];

function writeColumn(writer: BinaryWriter, tensors: readonly WireTensor[]): void {
  const type = tensors[0]?.type ?? 'float32';
  if (tensors.some(({ sparse }) => sparse !== undefined))
    throw new WireError('An output is sparse, which the protocol has for requests alone. Send it dense.');
  const values = tensors.flatMap(({ data }) => data);
  const starts = [0];
  for (const { data } of tensors) starts.push(at(starts, starts.length - 1) + data.length * bytesPer(type));
  if (values.length > 0)
    writeBytes(writer, 1, type === 'float32' ? float32Bytes(values) : int64Bytes(values));
  writeBytes(writer, 2, int64Bytes(starts));
  writeInteger(writer, 3, codeOf(type));
  writeIntegers(writer, 4, inner(tensors[0]));
}

export function decodeResult(bytes: Uint8Array): ForwardBackwardResult {
  const result = { outputType: '' };
  const outputs: WireRecord[] = [];
  const metrics = new Map<string, number>();
  readFields(bytes, {
    [sized(1)]: reader => {
      result.outputType = reader.string();
    },
    [sized(2)]: reader => {
      for (const row of readRecord(reader.bytes())) outputs.push(row);
    },
    [sized(3)]: reader => {
      const { name, value = 0 } = readEntry(reader.bytes(), fixed64, entry => entry.double());
      metrics.set(name, value);
    },
  });
  // Some servers put a module before the name of the class.
  const outputType = result.outputType.slice(result.outputType.lastIndexOf(':') + 1);
  return { outputType, outputs, metrics: Object.fromEntries(metrics) };
}

function readRecord(bytes: Uint8Array): readonly WireRecord[] {
  const columns: [string, readonly WireTensor[]][] = [];
  const record = { rows: 0 };
  readFields(bytes, {
    [sized(2)]: reader => {
      const { name, value } = readEntry(reader.bytes(), sized, entry => readColumn(entry.bytes()));
      columns.push([name, value ?? []]);
    },
    [varint(3)]: reader => {
      record.rows = Number(reader.int64());
    },
  });
  // Servers before SDK 0.25 do not write the number of rows.
  const rows = record.rows > 0 ? record.rows : (columns[0]?.[1].length ?? 0);
  for (const [name, tensors] of columns)
    if (tensors.length !== rows)
      throw new WireError(`A result has ${rows} rows, but ${tensors.length} values of '${name}'.`);
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(([name, tensors]) => [name, at(tensors, row)])),
  );
}

function readColumn(bytes: Uint8Array): readonly WireTensor[] {
  const found = { data: new Uint8Array(), offsets: new Uint8Array(), code: 0 };
  const trailing: number[] = [];
  readFields(bytes, {
    [sized(1)]: reader => {
      found.data = new Uint8Array(reader.bytes());
    },
    [sized(2)]: reader => {
      found.offsets = new Uint8Array(reader.bytes());
    },
    [varint(3)]: reader => {
      found.code = reader.int32();
    },
    ...integersInto(4, trailing),
  });
  const encoded = encodedNumbers(found.code);
  const values = readNumbers(encoded, found.data);
  const starts = readNumbers('int64', found.offsets).map(offset => offset / bytesPer(encoded));
  const width = trailing.reduce((product, size) => product * size, 1);
  return starts.slice(1).map((end, row) => {
    const start = at(starts, row);
    if (!Number.isInteger(start) || !Number.isInteger(end) || start > end || end > values.length)
      throw new WireError(`A row of a result has the values ${start} to ${end} of ${values.length}.`);
    const shape = [width === 0 ? 0 : (end - start) / width, ...trailing];
    return { type: widened(encoded), data: values.slice(start, end), shape };
  });
}
