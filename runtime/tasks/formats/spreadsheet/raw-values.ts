// Values of single cells straight from the XML, as OSWorld reads them for some rules. Unlike the workbook reader it finds the part of a
// sheet by the sheet's id, returns the results of formulas and knows no dates.

import type { OfficePackage } from '../office-package.ts';
import { attribute, child, children, type Document, descendants, type Element, rootOf } from '../xml.ts';
import { WorkbookError } from './attributes.ts';

/** Null for an empty cell, a Boolean, or a sheet that is not found. */
export type RawValue = string | number | null;

export interface RawSheet {
  valueOf(cell: string): RawValue;
}

const EMPTY: RawSheet = { valueOf: () => null };

/** The path of a sheet's part: LibreOffice, openpyxl and Excel name a new sheet's part by its id. */
export function rawSheetPath(office: OfficePackage, name: string): string | undefined {
  const workbook = office.xml('xl/workbook.xml');
  if (workbook === undefined) return undefined;
  const list = child(rootOf(workbook), 'sheets');
  const sheets = list === undefined ? [] : children(list, 'sheet');
  const sheet = sheets.findLast(each => attribute(each, 'name') === name);
  return sheet && `xl/worksheets/sheet${attribute(sheet, 'sheetId')}.xml`;
}

export function rawSheet(office: OfficePackage, name: string): RawSheet {
  const path = rawSheetPath(office, name);
  const document = path === undefined ? undefined : office.xml(path);
  if (document === undefined) return EMPTY;
  const texts = rawTexts(office.xml('xl/sharedStrings.xml'));
  const cells = new Map<string, Element>();
  for (const row of descendants(document, 'row'))
    for (const cell of children(row, 'c')) {
      const key = attribute(cell, 'r') ?? '';
      if (!cells.has(key)) cells.set(key, cell);
    }
  return {
    valueOf: key => {
      const cell = cells.get(key);
      return cell === undefined ? null : rawValue(cell, texts);
    },
  };
}

/** The texts with phonetic hints. A table with an empty text counts as unreadable and so as empty. */
function rawTexts(document: Document | undefined): readonly string[] {
  if (document === undefined) return [];
  const items = children(rootOf(document), 'si').map(item => descendants(item, 't'));
  const isBroken = items.some(texts => texts.some(text => (text.textContent ?? '') === ''));
  return isBroken ? [] : items.map(texts => texts.map(text => text.textContent ?? '').join(''));
}

function rawValue(cell: Element, texts: readonly string[]): RawValue {
  const type = attribute(cell, 't') ?? 'n';
  const value = type === 'inlineStr' ? child(cell, 'is', 't') : child(cell, 'v');
  if (value === undefined || type === 'b' || type === 'd') return null;
  const text = (value.textContent ?? '').trim();
  if (type === 'n') return rawNumber(text);
  if (type === 'inlineStr' && attribute(value, 'space') !== undefined) return markedText(text);
  if (type !== 's') return text === '' ? null : text;
  const shared = texts[Number(text === '' ? 'none' : text)];
  if (shared === undefined)
    throw new WorkbookError(`The text ${text} of a cell is missing. Save the file again.`);
  return shared;
}

/** OSWorld reads a text that keeps its blanks as a record, whose printed form takes part in comparisons. */
const markedText = (text: string): string =>
  `{'@http://www.w3.org/XML/1998/namespace:space': 'preserve', '#text': '${text}'}`;

/** An empty value of a number is the trace of a formula that was never computed. */
function rawNumber(text: string): number | null {
  if (text === '') throw new WorkbookError('A cell has a formula without a result. Save the file again.');
  const number = Number(text);
  return Number.isNaN(number) ? null : number;
}
