// Reads and writes fields of a protobuf message.

import { BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { messageOf } from '../../../core/errors.ts';
import { WireError } from './messages.ts';

/** Keys of `MessageFields`: the number of a field and how it is encoded. */
export const varint = (field: number): number => key(field, WireType.Varint);
export const fixed64 = (field: number): number => key(field, WireType.Bit64);
/** Texts, bytes, messages, entries of maps, and packed lists. */
export const sized = (field: number): number => key(field, WireType.LengthDelimited);

const key = (field: number, type: WireType): number => (field << 3) | type;

export type MessageFields = Readonly<Record<number, (reader: BinaryReader) => void>>;

/** Calls the function of each field in order, and skips fields without one, as protobuf requires. */
export function readFields(bytes: Uint8Array, fields: MessageFields): void {
  const reader = new BinaryReader(bytes);
  try {
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      const read = fields[key(field, type)];
      if (read === undefined) reader.skip(type, field);
      else read(reader);
    }
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw new WireError(`The bytes are no protobuf message: ${messageOf(error)}.`, { cause: error });
  }
}

/** An entry of a map. `value` reads its value, which is encoded as `kind`. */
export function readEntry<T>(
  bytes: Uint8Array,
  kind: (field: number) => number,
  value: (reader: BinaryReader) => T,
): { readonly name: string; readonly value: T | undefined } {
  const entry: { name: string; value: T | undefined } = { name: '', value: undefined };
  readFields(bytes, {
    [sized(1)]: reader => {
      entry.name = reader.string();
    },
    [kind(2)]: reader => {
      entry.value = value(reader);
    },
  });
  return entry;
}

/** A list of integers: packed, or one field for each. */
export const integersInto = (field: number, list: number[]): MessageFields => ({
  [varint(field)]: reader => {
    list.push(Number(reader.int64()));
  },
  [sized(field)]: reader => {
    const packed = new BinaryReader(reader.bytes());
    while (packed.pos < packed.len) list.push(Number(packed.int64()));
  },
});

/** Fields with the default value are left out. */
export function writeText(writer: BinaryWriter, field: number, text: string): void {
  if (text !== '') writer.tag(field, WireType.LengthDelimited).string(text);
}

export function writeInteger(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.tag(field, WireType.Varint).int32(value);
}

export function writeBytes(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(bytes);
}

export function writeMessage(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

export function writeIntegers(writer: BinaryWriter, field: number, values: readonly number[]): void {
  if (values.length === 0) return;
  writeMessage(writer, field, () => {
    for (const value of values) writer.int64(value);
  });
}

/** The entries of a map, by name: equal maps are equal bytes. */
export function writeMap<T>(
  writer: BinaryWriter,
  field: number,
  map: Readonly<Record<string, T>>,
  write: (value: T) => void,
): void {
  for (const name of Object.keys(map).sort())
    writeMessage(writer, field, () => {
      const value = map[name];
      writer.tag(1, WireType.LengthDelimited).string(name);
      if (value !== undefined) write(value);
    });
}
