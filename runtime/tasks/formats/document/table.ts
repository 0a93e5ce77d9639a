// Tables of docx files. A merged cell appears at each of its places in the grid.

import type { Element } from '../xml.ts';
import { DocumentError } from './document-error.ts';
import { paragraphsOf, paragraphText } from './paragraph.ts';
import { integerOf, invalid } from './value.ts';
import { wordAttribute, wordChild, wordChildren } from './word-xml.ts';

/** The tables directly in a body or a cell. */
export const tablesOf = (container: Element): readonly Element[] => wordChildren(container, 'tbl');

export const rowsOf = (table: Element): readonly Element[] => wordChildren(table, 'tr');

export function columnCount(table: Element): number {
  const grid = wordChild(table, 'tblGrid');
  if (grid === undefined) throw broken(table, 'it has no grid');
  return wordChildren(grid, 'gridCol').length;
}

export const cellText = (cell: Element): string => paragraphsOf(cell).map(paragraphText).join('\n');

/** The cells of the grid, row by row. A row that skips columns moves all later cells, as in python-docx. */
export function gridCells(table: Element): readonly Element[] {
  const columns = columnCount(table);
  const cells: Element[] = [];
  for (const cell of rowsOf(table).flatMap(cellsIn)) {
    const span = spanOf(cell);
    for (let place = 0; place < span; place++) {
      // A table without columns has its first cell above each other one.
      const above = columns === 0 ? cells[0] : cells[cells.length - columns];
      const found = isContinued(cell) ? above : cell;
      if (found === undefined) throw broken(table, 'a merged cell has none above');
      cells.push(found);
    }
  }
  return cells;
}

/** The cells of each row, where a cell that is merged with the one above is that one. */
export function rowCells(table: Element): readonly (readonly Element[])[] {
  const rows = rowsOf(table);
  return rows.map((row, index) =>
    cellsIn(row).flatMap(cell => {
      const merged = mergedCell(rows, index, cell);
      return Array.from({ length: spanOf(merged) }, () => merged);
    }),
  );
}

const cellsIn = (row: Element): readonly Element[] => wordChildren(row, 'tc');

function mergedCell(rows: readonly Element[], rowIndex: number, cell: Element): Element {
  let current = cell;
  for (let index = rowIndex; isContinued(current); index--) {
    const [row, above] = [rows[index], rows[index - 1]];
    const next = row && above && cellAt(above, columnOf(row, current));
    if (next === undefined) throw broken(cell, 'a merged cell has none above');
    current = next;
  }
  return current;
}

function columnOf(row: Element, cell: Element): number {
  const cells = cellsIn(row);
  const before = cells.slice(0, cells.indexOf(cell));
  return before.reduce((sum, each) => sum + spanOf(each), skippedColumns(row));
}

function cellAt(row: Element, column: number): Element | undefined {
  let position = skippedColumns(row);
  for (const cell of cellsIn(row)) {
    if (position >= column) return position === column ? cell : undefined;
    position += spanOf(cell);
  }
  return undefined;
}

const skippedColumns = (row: Element): number => integerOf(wordChild(row, 'trPr', 'gridBefore'), 'val') ?? 0;

/** Word allows 63 columns. A file with millions of them would fill the memory. */
const MAX_SPAN = 1000;

function spanOf(cell: Element): number {
  const element = wordChild(cell, 'tcPr', 'gridSpan');
  if (element === undefined) return 1;
  const span = integerOf(element, 'val');
  if (span === undefined || span > MAX_SPAN) throw invalid(element, 'val');
  return span;
}

function isContinued(cell: Element): boolean {
  const element = wordChild(cell, 'tcPr', 'vMerge');
  return element !== undefined && (wordAttribute(element, 'val') ?? 'continue') === 'continue';
}

const broken = (element: Element, reason: string): DocumentError =>
  new DocumentError(`A table cannot be read: ${reason}.`, { xml: element.ownerDocument });
