// The cells of a sheet as a table with typed columns, as `pandas.read_excel` makes it: the first row has the names; texts of numbers become
// numbers; empty cells, errors and texts such as N/A are missing values.

import { roundHalfToEven } from '../../../core/rounding.ts';
import { MAX_ROW } from '../../formats/spreadsheet/coordinates.ts';
import { isMoment, type Moment, momentText } from '../../formats/spreadsheet/moments.ts';
import { WorkbookError } from '../../formats/spreadsheet/workbook.ts';
import type { Worksheet } from '../../formats/spreadsheet/worksheet.ts';
import { type FrameColumn, type FrameValue, typedColumn } from './frame-column.ts';
import { floatText } from './python-text.ts';

export interface DataFrame {
  readonly names: readonly FrameValue[];
  readonly columns: readonly FrameColumn[];
}

export function frameOf(sheet: Worksheet): DataFrame {
  const [header, ...rows] = gridOf(sheet);
  if (header === undefined) return { names: [], columns: [] };
  const columns = header.map((_, index) => typedColumn(rows.map(row => row[index] ?? '')));
  return { names: uniqueNames(header), columns };
}

/** Bounds the memory for a sheet whose last cell is far away. */
const MAX_CELLS = 20_000_000;

/** The values from the first cell to the last one that is not empty. An empty cell is an empty text, an error is not a number. */
function gridOf({ rows }: Worksheet): readonly (readonly FrameValue[])[] {
  const grid: FrameValue[][] = [];
  for (const { index, cells } of rows) {
    if (index <= grid.length) continue;
    if (index > MAX_ROW)
      throw new WorkbookError(
        `A sheet has a row ${index}. The last possible row is ${MAX_ROW}. Save the file again.`,
      );
    while (grid.length < index - 1) grid.push([]);
    const width = cells.at(-1)?.column ?? 0;
    const values = Array<FrameValue>(width).fill('');
    for (const { column, shown } of cells) if (column <= width) values[column - 1] = scalarOf(shown);
    grid.push(values.slice(0, values.findLastIndex(value => value !== '') + 1));
  }
  const filled = grid.slice(0, grid.findLastIndex(row => row.length > 0) + 1);
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0);
  if (width * filled.length > MAX_CELLS)
    throw new WorkbookError(
      `A sheet has more than ${MAX_CELLS} cells. Delete the last empty rows and columns.`,
    );
  return filled.map(row => [...row, ...Array<FrameValue>(width - row.length).fill('')]);
}

function scalarOf({ type, value }: { type: string; value: FrameValue | null }): FrameValue {
  if (value === null) return '';
  return type === 'e' ? Number.NaN : value;
}

/** An empty name becomes `Unnamed: 2`, a repeated one `total.1`. */
function uniqueNames(header: readonly FrameValue[]): readonly FrameValue[] {
  const names = header.map((name, index) => (name === '' ? `Unnamed: ${index}` : name));
  const indices = [...header.keys()];
  const order = [...indices.filter(i => header[i] !== ''), ...indices.filter(i => header[i] === '')];
  const counts = new Map<string, number>();
  for (const index of order) {
    const name = names[index] ?? '';
    let unique = name;
    let count = counts.get(keyOf(name)) ?? 0;
    while (count > 0) {
      counts.set(keyOf(name), count + 1);
      unique = `${printed(name)}.${count}`;
      count = names.includes(unique) ? count + 1 : (counts.get(keyOf(unique)) ?? 0);
    }
    names[index] = unique;
    counts.set(keyOf(unique), count + 1);
  }
  return names;
}

/** Equal for values that are equal in Python, such as 1 and true. */
const keyOf = (value: FrameValue): string =>
  typeof value === 'string'
    ? `text ${value}`
    : isMoment(value)
      ? momentKey(value)
      : `number ${Number(value)}`;

const momentKey = ({ kind, ms }: Moment): string => `${kind} ${ms}`;

function printed(value: FrameValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isMoment(value)) return momentText(value);
  return Number.isInteger(value) ? BigInt(value).toString() : floatText(value);
}

/** Rounds the columns of numbers. Values with as many decimals as `digits` are left. */
export const rounded = ({ names, columns }: DataFrame, digits: number): DataFrame => ({
  names,
  columns: columns.map(column => roundColumn(column, digits)),
});

function roundColumn(column: FrameColumn, digits: number): FrameColumn {
  const isRounded = column.kind === 'float' || (digits < 0 && column.kind.endsWith('int'));
  if (!isRounded) return column;
  const factor = 10 ** Math.abs(digits);
  const round = (value: number): number =>
    digits < 0 ? roundHalfToEven(value / factor) * factor : roundHalfToEven(value * factor) / factor;
  return { kind: column.kind, values: column.values.map(value => round(Number(value))) };
}

/** Equal names, types and values. Missing values equal each other. */
export const sameFrame = (a: DataFrame, b: DataFrame): boolean =>
  sameValues(a.names, b.names) &&
  a.columns.every((column, index) => {
    const other = b.columns[index];
    return other !== undefined && column.kind === other.kind && sameValues(column.values, other.values);
  });

const sameValues = (a: readonly FrameValue[], b: readonly FrameValue[]): boolean =>
  a.length === b.length && a.every((value, index) => keyOf(value) === keyOf(b[index] ?? ''));

const NUMBERS: readonly FrameColumn['kind'][] = ['int', 'uint', 'float'];

/** The texts of the last row, as pandas prints its values. Without columns of other types, whole numbers become floats beside a float. */
export function lastRowTexts({ columns }: DataFrame): readonly string[] {
  const isNumeric = columns.every(({ kind }) => NUMBERS.includes(kind));
  const isFloat = isNumeric && columns.some(({ kind }) => kind === 'float');
  return columns.map(({ kind, values }) => {
    const value = values.at(-1) ?? Number.NaN;
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'number')
      return isFloat || kind === 'float' || Number.isNaN(value) ? floatText(value) : String(value);
    return typeof value === 'string' ? value : momentText(value);
  });
}
