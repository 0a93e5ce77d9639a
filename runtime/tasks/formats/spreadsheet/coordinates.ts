// Names of cells and ranges, such as B12 and A1:C3. Rows and columns count from 1.

export interface Position {
  readonly row: number;
  readonly column: number;
}

export interface CellRange {
  readonly first: Position;
  readonly last: Position;
}

const MAX_COLUMN = 18_278;
export const MAX_ROW = 1_048_576;

/** 1 is A, 27 is AA. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

export const cellName = ({ row, column }: Position): string => `${columnName(column)}${row}`;

/** A1, also with dollar signs; undefined for anything else. */
export function parseCell(text: string): Position | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d+)$/.exec(text);
  if (match === null) return undefined;
  const letters = (match[1] ?? '').toUpperCase();
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  const row = Number(match[2]);
  return row >= 1 && row <= MAX_ROW && column <= MAX_COLUMN ? { row, column } : undefined;
}

/** A1 or A1:C3, whose corners are in order; undefined for anything else, also for whole rows and columns. */
export function parseRange(text: string): CellRange | undefined {
  const [start = '', end = start, ...rest] = text.split(':');
  const [first, last] = [parseCell(start), parseCell(end)];
  if (first === undefined || last === undefined || rest.length > 0) return undefined;
  return first.row <= last.row && first.column <= last.column ? { first, last } : undefined;
}

/** Ranges with white space between them; undefined if one is wrong. */
export function parseRanges(text: string): readonly CellRange[] | undefined {
  const ranges = text
    .split(/\s+/)
    .filter(part => part !== '')
    .map(parseRange);
  return ranges.every(range => range !== undefined) ? ranges : undefined;
}

/** Equal for equal ranges. */
export const rangeName = ({ first, last }: CellRange): string => `${cellName(first)}:${cellName(last)}`;

export const includesRange = (outer: CellRange, inner: CellRange): boolean =>
  outer.first.row <= inner.first.row &&
  outer.first.column <= inner.first.column &&
  outer.last.row >= inner.last.row &&
  outer.last.column >= inner.last.column;

/** The cells of a range, row by row. */
export function* positionsOf({ first, last }: CellRange): Generator<Position> {
  for (let row = first.row; row <= last.row; row++)
    for (let column = first.column; column <= last.column; column++) yield { row, column };
}
