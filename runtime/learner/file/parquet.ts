// Writes rows as one Parquet file. Pure.

import { parquetWriteBuffer } from 'hyparquet-writer';
import { COLUMNS, type ColumnType, type ExportedRow } from './exported-row.ts';

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>;
type Repetition = NonNullable<Schema[number]['repetition_type']>;

export function parquetOf(rows: readonly ExportedRow[]): Uint8Array {
  const names = columnNames();
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: names.map(name => ({ name, data: rows.map(row => row[name]) })),
      schema: [
        { name: 'root', num_children: names.length },
        ...names.flatMap(name => SCHEMAS[COLUMNS[name].type](name)),
      ],
    }),
  );
}

const columnNames = (): readonly (keyof ExportedRow)[] => {
  const isColumn = (name: string): name is keyof ExportedRow => Object.hasOwn(COLUMNS, name);
  return Object.keys(COLUMNS).filter(isColumn);
};

const text = (name: string, repetition: Repetition): Schema[number] => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: repetition,
});
const list = (name: string, repetition: Repetition): Schema => [
  { name, repetition_type: repetition, converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
];
const ids = (name: string, repetition: Repetition): Schema => [
  ...list(name, repetition),
  { name: 'element', type: 'INT32', repetition_type: 'REQUIRED' },
];

const SCHEMAS: Readonly<Record<ColumnType, (name: string) => Schema>> = {
  text: name => [text(name, 'REQUIRED')],
  integer: name => [{ name, type: 'INT32', repetition_type: 'REQUIRED' }],
  number: name => [{ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }],
  ids: name => ids(name, 'REQUIRED'),
  numbers: name => [
    ...list(name, 'OPTIONAL'),
    { name: 'element', type: 'DOUBLE', repetition_type: 'REQUIRED' },
  ],
  parts: name => [
    ...list(name, 'REQUIRED'),
    { name: 'element', repetition_type: 'REQUIRED', num_children: 3 },
    ...ids('tokens', 'OPTIONAL'),
    text('image', 'OPTIONAL'),
    { name: 'places', type: 'INT32', repetition_type: 'OPTIONAL' },
  ],
};
