// The rules of compare_table about values: names of sheets, data, printed sheets, ranges of cells and single cells.

import { strip } from '../../formats/python/text.ts';
import {
  cellName,
  parseCell,
  parseRange,
  parseRanges,
  positionsOf,
} from '../../formats/spreadsheet/coordinates.ts';
import { type RawSheet, rawSheet } from '../../formats/spreadsheet/raw-values.ts';
import { readSparklines } from '../../formats/spreadsheet/sparklines.ts';
import { worksheetNames } from '../../formats/spreadsheet/workbook.ts';
import { ratio } from '../../similarity/ratio.ts';
import { isFile, isRecord, MetricError, type Options, strings } from '../metric.ts';
import { sameValue } from '../same-value.ts';
import { matchesRule } from './cell-rule.ts';
import { styleOf } from './cell-style.ts';
import { frameOf, rounded, sameFrame } from './data-frame.ts';
import { floatText, linesOf } from './python-text.ts';
import {
  type Books,
  reading,
  type SheetName,
  sheetName,
  sheetOrUnreadable,
  unreadable,
} from './table-books.ts';
import type { TableRule } from './table-rule.ts';

export const sameNames: TableRule = (_, { result, expected }) =>
  expected !== undefined && sameValue(worksheetNames(result.workbook), worksheetNames(expected.workbook));

const DEFAULT_PRECISION = 4;

/** The data of two sheets are equal after rounding. */
export const sameData: TableRule = ({ sheet_idx0: first, sheet_idx1: second, precision }, books) => {
  const digits = precision ?? DEFAULT_PRECISION;
  if (typeof digits !== 'number' || !Number.isInteger(digits))
    throw new MetricError(
      `The precision ${JSON.stringify(digits)} is not an integer. Use a number of decimals.`,
    );
  const [a, b] = [first, second].map(index => {
    const place = sheetName(index, books);
    const sheet = sheetOrUnreadable(place);
    if (sheet.kind !== 'worksheet')
      return unreadable(place.book.side, `${sheet.name} has no cells. Use a worksheet.`);
    return reading(place.book.side, () => rounded(frameOf(sheet), digits));
  });
  return a !== undefined && b !== undefined && sameFrame(a, b);
};

/** The CSV files of two sheets have equal lines, apart from blanks at their ends. */
export const samePrint: TableRule = (
  { sheet_idx0: first, sheet_idx1: second, ignore_case: ignoreCase },
  books,
) => {
  const [a, b] = [first, second].map(index => {
    const lines = printedLines(sheetName(index, books));
    return ignoreCase === true ? lines.map(line => line.toLowerCase()) : lines;
  });
  return sameValue(a, b);
};

function printedLines({ book, name }: SheetName): readonly string[] {
  const path = `${book.file.name.replace(/\.[^.]*$/, '')}-${name}.csv`;
  const siblings: unknown = 'siblings' in book.file ? book.file.siblings : undefined;
  const files: readonly unknown[] = Array.isArray(siblings) ? siblings : [];
  const file = files.filter(isFile).find(each => each.name === path);
  if (file === undefined) return unreadable(book.side, `There is no file ${path}. Export the sheet to it.`);
  const lines = linesOf(file.bytes).map(strip);
  return lines.slice(0, lines.findLastIndex(line => line !== '') + 1);
}

type Comparison = (first: string, second: string, rule: Options) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  includes: (first, second) => first.includes(second),
  included_by: (first, second) => second.includes(first),
  exact_match: (first, second) => first === second,
  fuzzy_match: (first, second, { threshold = 85 }) => percentage(first, second) >= Number(threshold),
};

/** RapidFuzz computes the similarity from the distance, which matters for equality with a threshold. */
function percentage(first: string, second: string): number {
  const total = [...first].length + [...second].length;
  const distance = Math.round((1 - ratio(first, second)) * total);
  return total === 0 ? 100 : (1 - distance / total) * 100;
}

/** The printed values of ranges match cell by cell. */
export const similarCells: TableRule = ({ sheet_idx0: first, sheet_idx1: second, rules }, books) => {
  if (!Array.isArray(rules)) throw new MetricError('sheet_fuzzy has no rules. Add a list of them.');
  const [a, b] = [sheetName(first, books), sheetName(second, books)];
  const [left, right] = [rawSheetOf(a), rawSheetOf(b)];
  // Every cell is read, also after a difference: a cell that cannot be read ends the comparison.
  return rules
    .filter(isRecord)
    .map(rule => {
      const compare = COMPARISONS[String(rule['type'])];
      if (compare === undefined)
        throw new MetricError(
          `${JSON.stringify(rule['type'])} is not a type of sheet_fuzzy. Use exact_match.`,
        );
      const results = cellsOf(rule['range']).map(cell => {
        const x = reading(a.book.side, () => left.valueOf(cell));
        const y = reading(b.book.side, () => right.valueOf(cell));
        return compare(normalized(x, rule), normalized(y, rule), rule);
      });
      return results.every(Boolean);
    })
    .every(Boolean);
};

const rawSheetOf = ({ book, name }: SheetName): RawSheet =>
  reading(book.side, () => rawSheet(book.workbook.office, name));

function cellsOf(range: unknown): readonly string[] {
  const list = typeof range === 'string' ? parseRanges(range) : strings(range).map(parseRange);
  if (list === undefined || !list.every(each => each !== undefined))
    throw new MetricError(`${JSON.stringify(range)} is not a list of ranges. Use ["A1:B2", "D4"].`);
  return list.flatMap(each => [...positionsOf(each)].map(cellName));
}

function normalized(value: string | number | null, rule: Options): string {
  let text = value === null ? 'None' : typeof value === 'number' ? floatText(value) : value;
  const replacements = Array.isArray(rule['normalization']) ? rule['normalization'] : [];
  for (const [from, to] of replacements.map(strings)) text = text.replaceAll(from ?? '', to ?? '');
  const [leading, trailing] = [rule['trim_leadings'], rule['trim_trailings']];
  const ignored = String(rule['ignore_chars'] ?? '');
  let characters = [...text];
  if (typeof leading === 'string')
    characters = characters.slice(
      indexOr(
        characters.findIndex(each => !leading.includes(each)),
        characters.length,
      ),
    );
  if (typeof trailing === 'string')
    characters = characters.slice(0, characters.findLastIndex(each => !trailing.includes(each)) + 1);
  text = characters.filter(each => !ignored.includes(each)).join('');
  return rule['ignore_case'] === true ? text.toLowerCase() : text;
}

const indexOr = (index: number, otherwise: number): number => (index < 0 ? otherwise : index);

export const sameSparklines: TableRule = ({ sheet_idx0: first, sheet_idx1: second }, books) => {
  const [a, b] = [first, second].map(index => {
    const { book, name } = sheetName(index, books);
    return reading(book.side, () => readSparklines(book.workbook.office, name));
  });
  return sameValue(Object.fromEntries(a ?? []), Object.fromEntries(b ?? []));
};

/** Properties of one cell match their rules. */
export const cellMatches: TableRule = ({ sheet_idx: index, coordinate, props }, books: Books) => {
  const place = sheetName(index, books);
  const sheet = sheetOrUnreadable(place);
  if (typeof coordinate !== 'string' || parseCell(coordinate) === undefined || !isRecord(props))
    throw new MetricError(`check_cell needs a cell and props, not ${JSON.stringify(coordinate)}. Use "B3".`);
  const position = parseCell(coordinate);
  const name = position === undefined ? coordinate : cellName(position);
  return Object.entries(props).every(([property, rule]) => {
    const value =
      property === 'value'
        ? reading(place.book.side, () => rawSheetOf(place).valueOf(coordinate))
        : styleOf(property, sheet, place.book.workbook.styles, name);
    return matchesRule(value ?? null, rule);
  });
};
