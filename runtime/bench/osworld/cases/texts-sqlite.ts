// Writes SQLite databases of small tables: one page for the schema and one for each table.

const PAGE = 4096;
const FILE_HEADER = 100;
const LEAF = 13;
/** The version of SQLite that the files claim to be written by: any recent one. */
const VERSION = 3_045_000;

export type SqlCell = string | number | null;

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
}

export function sqliteOf(tables: readonly SqlTable[]): Uint8Array {
  const bytes = new Uint8Array(PAGE * (tables.length + 1));
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('SQLite format 3\0'));
  view.setUint16(16, PAGE);
  bytes.set([1, 1, 0, 64, 32, 32], 18);
  // Change counter, pages, schema cookie, schema format, UTF-8, and the counter for which the version holds.
  for (const [offset, value] of [
    [24, 1],
    [28, tables.length + 1],
    [40, 1],
    [44, 4],
    [56, 1],
    [92, 1],
    [96, VERSION],
  ] as const)
    view.setUint32(offset, value);
  const schema = tables.map(({ name, columns }, index) => [
    'table',
    name,
    name,
    index + 2,
    `CREATE TABLE ${name} (${columns.join(', ')})`,
  ]);
  writePage(bytes.subarray(0, PAGE), FILE_HEADER, schema);
  tables.forEach(({ rows }, index) => {
    writePage(bytes.subarray(PAGE * (index + 1), PAGE * (index + 2)), 0, rows);
  });
  return bytes;
}

function writePage(page: Uint8Array, header: number, rows: readonly (readonly SqlCell[])[]): void {
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  let end = PAGE;
  rows.forEach((row, index) => {
    const record = recordOf(row);
    const cell = [...varint(record.length), ...varint(index + 1), ...record];
    end -= cell.length;
    page.set(cell, end);
    view.setUint16(header + 8 + 2 * index, end);
  });
  page[header] = LEAF;
  view.setUint16(header + 3, rows.length);
  view.setUint16(header + 5, end);
}

function recordOf(row: readonly SqlCell[]): readonly number[] {
  const types: number[] = [];
  const body: number[] = [];
  for (const cell of row) {
    if (cell === null) types.push(0);
    else if (typeof cell === 'number') {
      types.push(Number.isInteger(cell) ? 4 : 7);
      body.push(...numberBytes(cell));
    } else {
      const text = new TextEncoder().encode(cell);
      types.push(...varint(13 + 2 * text.length));
      body.push(...text);
    }
  }
  return [types.length + 1, ...types, ...body];
}

function numberBytes(value: number): Uint8Array {
  const isInteger = Number.isInteger(value);
  const bytes = new Uint8Array(isInteger ? 4 : 8);
  const view = new DataView(bytes.buffer);
  if (isInteger) view.setInt32(0, value);
  else view.setFloat64(0, value);
  return bytes;
}

/** Seven bits a byte, the highest first. */
const varint = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [...varint(value >> 7).map(byte => byte | 0x80), value & 0x7f];
