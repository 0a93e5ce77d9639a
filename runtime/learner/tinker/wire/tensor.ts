// Tensors of the protobuf encoding: bytes with a type and a shape.

import type { BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  integersInto,
  readFields,
  sized,
  varint,
  writeBytes,
  writeInteger,
  writeIntegers,
  writeMessage,
} from './fields.ts';
import type { WireTensor } from './messages.ts';
import { codeOf, encodedNumbers, float32Bytes, int64Bytes, readNumbers, widened } from './numbers.ts';

export function writeTensor(writer: BinaryWriter, { type, data, shape = [], sparse }: WireTensor): void {
  const values = type === 'float32' ? float32Bytes(data) : int64Bytes(data);
  if (sparse === undefined) writeBytes(writer, 1, values);
  else
    writeMessage(writer, 2, () => {
      if (values.length > 0) writeBytes(writer, 1, values);
      writeBytes(writer, 2, int64Bytes(sparse.starts));
      if (sparse.columns.length > 0) writeBytes(writer, 3, int64Bytes(sparse.columns));
    });
  writeInteger(writer, 3, codeOf(type));
  writeIntegers(writer, 4, shape);
}

export function readTensor(bytes: Uint8Array): WireTensor {
  const found: { dense: Uint8Array; code: number; sparse?: Uint8Array } = {
    dense: new Uint8Array(),
    code: 0,
  };
  const shape: number[] = [];
  readFields(bytes, {
    [sized(1)]: reader => {
      found.dense = reader.bytes();
    },
    [sized(2)]: reader => {
      found.sparse = reader.bytes();
    },
    [varint(3)]: reader => {
      found.code = reader.int32();
    },
    ...integersInto(4, shape),
  });
  const type = encodedNumbers(found.code);
  const shaped = shape.length > 0 ? { shape } : {};
  if (found.sparse === undefined)
    return { type: widened(type), data: readNumbers(type, found.dense), ...shaped };
  const [values, starts, columns] = readSparse(found.sparse);
  return {
    ...{ type: widened(type), data: readNumbers(type, values), ...shaped },
    sparse: { starts: readNumbers('int64', starts), columns: readNumbers('int64', columns) },
  };
}

function readSparse(bytes: Uint8Array): readonly [Uint8Array, Uint8Array, Uint8Array] {
  const parts: [Uint8Array, Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array(), new Uint8Array()];
  readFields(bytes, {
    [sized(1)]: reader => {
      parts[0] = reader.bytes();
    },
    [sized(2)]: reader => {
      parts[1] = reader.bytes();
    },
    [sized(3)]: reader => {
      parts[2] = reader.bytes();
    },
  });
  return parts;
}
