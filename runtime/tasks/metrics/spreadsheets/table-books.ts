// The two workbooks of a comparison, and the sheets that rules name: 1 or RI1 is the second sheet of the result, EI1 that of the expected
// file, RNCosts and ENCosts are sheets by name.

import {
  readWorkbook,
  sheetOf,
  type Workbook,
  WorkbookError,
  worksheetNames,
} from '../../formats/spreadsheet/workbook.ts';
import type { Worksheet } from '../../formats/spreadsheet/worksheet.ts';
import { MetricError, type TaskFile } from '../metric.ts';

export interface Book {
  readonly side: 'result' | 'expected';
  readonly file: TaskFile;
  readonly workbook: Workbook;
}

export interface Books {
  readonly result: Book;
  readonly expected: Book | undefined;
}

export interface SheetName {
  readonly book: Book;
  /** The empty name for an index beyond the last sheet. */
  readonly name: string;
}

/** The agent's file cannot be read as a rule needs it, so the comparison scores 0. */
export class UnreadableResult extends Error {
  override readonly name = 'UnreadableResult';
}

export function openBook(side: Book['side'], file: TaskFile): Book {
  if (!/\.xl[st][xm]$/i.test(file.name))
    return unreadable(side, `${file.name} is not an xlsx file. Save it as xlsx.`);
  return reading(side, () => ({ side, file, workbook: readWorkbook(file.bytes) }));
}

/** Runs a reader: what it cannot read in the expected file is an error of the task. */
export function reading<T>(side: Book['side'], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WorkbookError) return unreadable(side, error.message);
    throw error;
  }
}

export function unreadable(side: Book['side'], message: string): never {
  if (side === 'expected') throw new MetricError(`compare_table cannot read the expected file: ${message}`);
  throw new UnreadableResult(message);
}

export function sheetName(index: unknown, { result, expected }: Books): SheetName {
  if (typeof index === 'number') return { book: result, name: nameAt(result, index) };
  const match = /^([RE])([IN])(.*)$/s.exec(typeof index === 'string' ? index : '');
  if (match === null)
    throw new MetricError(
      `${JSON.stringify(index) ?? 'undefined'} names no sheet. Use a number, or RI0, EI0, RNName or ENName.`,
    );
  const [, side, kind, rest = ''] = match;
  const book = side === 'R' ? result : expected;
  if (book === undefined)
    throw new MetricError(
      `A rule of compare_table names the sheet ${index}, but there is no expected file. Add one.`,
    );
  return { book, name: kind === 'N' ? rest : nameAt(book, Number(rest)) };
}

/** As in Python, -1 is the last sheet. */
const nameAt = ({ workbook }: Book, index: number): string => worksheetNames(workbook).at(index) ?? '';

export const sheetIfAny = ({ book, name }: SheetName): Worksheet | undefined => sheetOf(book.workbook, name);

export const sheetOrUnreadable = (place: SheetName): Worksheet =>
  sheetIfAny(place) ??
  unreadable(place.book.side, `There is no sheet ${JSON.stringify(place.name)}. Add it.`);
