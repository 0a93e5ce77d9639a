// The cells of a sheet: their values with and without formulas.

import { attribute, child, children, type Document, descendants, type Element, rootOf } from '../xml.ts';
import { parseNumber, WorkbookError } from './attributes.ts';
import { columnName, parseCell } from './coordinates.ts';
import { dateOfIso, dateOfSerial, durationOfSerial, type Moment } from './moments.ts';
import type { Styles } from './styles.ts';

/** The type letter: `n` number or empty, `s` text, `b` Boolean, `d` date, `e` error, `f` formula. */
export interface CellContent {
  readonly type: string;
  readonly value: string | number | boolean | Moment | null;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly styleId: number;
  /** The content with a formula as text. */
  readonly stored: CellContent;
  /** The content with the last result of a formula. */
  readonly shown: CellContent;
}

export interface Row {
  readonly index: number;
  readonly element: Element;
  readonly cells: readonly Cell[];
}

export interface CellContext {
  readonly strings: readonly string[];
  readonly styles: Styles;
  readonly from1904: boolean;
}

/** The texts that cells refer to by number. */
export function readSharedStrings(document: Document | undefined): readonly string[] {
  if (document === undefined) return [];
  // Excel escapes an underscore before a hexadecimal number as _x005F_.
  return children(rootOf(document), 'si').map(item => richText(item).replaceAll('x005F_', ''));
}

/** The plain text followed by the formatted parts, without phonetic hints. */
const richText = (item: Element): string =>
  [child(item, 't'), ...children(item, 'r').map(part => child(part, 't'))]
    .map(text => text?.textContent ?? '')
    .join('');

export function readRows(sheet: Document, context: CellContext): readonly Row[] {
  let last = 0;
  return descendants(sheet, 'row').map(element => {
    const text = attribute(element, 'r');
    const index = text === undefined ? last + 1 : parseNumber(text);
    if (!Number.isInteger(index))
      throw new WorkbookError(`${text} is not a number of a row. Save the file again.`);
    last = index;
    return { index, element, cells: readCells(element, index, context) };
  });
}

function readCells(row: Element, index: number, context: CellContext): readonly Cell[] {
  let last = 0;
  return children(row).map(element => {
    const name = attribute(element, 'r') ?? `${columnName(last + 1)}${index}`;
    const position = parseCell(name);
    if (position === undefined) throw new WorkbookError(`${name} is not a cell. Save the file again.`);
    last = position.column;
    const styleId = parseNumber(attribute(element, 's') ?? '0');
    const shown = shownContent(element, styleId, context);
    const formula = child(element, 'f');
    const stored = formula === undefined ? shown : { type: 'f', value: `=${formula.textContent ?? ''}` };
    return { ...position, styleId, stored, shown };
  });
}

function shownContent(element: Element, styleId: number, context: CellContext): CellContent {
  const type = attribute(element, 't') ?? 'n';
  const format = context.styles.cells[styleId];
  if (format === undefined) throw new WorkbookError(`The style ${styleId} is missing. Save the file again.`);
  if (type === 'inlineStr') {
    const inline = child(element, 'is');
    return inline === undefined ? { type, value: null } : { type: 's', value: richText(inline) };
  }
  const text = child(element, 'v')?.textContent ?? '';
  if (text === '') return { type: type === 'str' ? 's' : type, value: null };
  if (type !== 'n') return typedContent(type, text, context);
  const number = parseNumber(text);
  if (!format.isDate) return { type, value: number };
  const moment = format.isDuration ? durationOfSerial(number) : dateOfSerial(number, context.from1904);
  return moment === undefined ? { type: 'e', value: '#VALUE!' } : { type: 'd', value: moment };
}

function typedContent(type: string, text: string, { strings }: CellContext): CellContent {
  switch (type) {
    case 's': {
      const shared = strings[parseNumber(text)];
      if (shared === undefined) throw new WorkbookError(`The text ${text} is missing. Save the file again.`);
      return { type, value: shared };
    }
    case 'b':
      return { type, value: parseNumber(text) !== 0 };
    case 'str':
      return { type: 's', value: text };
    case 'd': {
      const moment = dateOfIso(text);
      if (moment === undefined) throw new WorkbookError(`${text} is not a date. Save the file again.`);
      return { type, value: moment };
    }
    default:
      return { type, value: text };
  }
}
