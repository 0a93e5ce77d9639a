// Metric of the tables in documents.

import { cellText, columnCount, gridCells, rowsOf, tablesOf } from '../../formats/document/table.ts';
import { strip } from '../../formats/python/text.ts';
import type { Element } from '../../formats/xml.ts';
import { type Metrics, pass } from '../metric.ts';
import { scorePair } from './open-documents.ts';

export const TABLE_COMPARISONS = {
  /** Two documents have tables of the same shapes with the same text in each cell. */
  compare_docx_tables: (result, expected) =>
    scorePair(result, expected, 'compare_docx_tables', (document, gold) => {
      const [tables, wanted] = [tablesOf(document.body), tablesOf(gold.body)];
      const pairs = tables.map((table, index) => [table, wanted[index]] as const);
      return pass(
        tables.length === wanted.length &&
          pairs.every(([table, other]) => other !== undefined && areEqual(table, other)),
      );
    }),
} satisfies Metrics;

function areEqual(table: Element, other: Element): boolean {
  const [rows, columns] = [rowsOf(table).length, columnCount(table)];
  if (rows !== rowsOf(other).length || columns !== columnCount(other)) return false;
  const [cells, wanted] = [gridCells(table), gridCells(other)];
  return Array.from({ length: rows * columns }).every((_, index) => {
    const [cell, wantedCell] = [cells[index], wanted[index]];
    // A table with too few cells for its grid is broken.
    if (cell === undefined || wantedCell === undefined) return false;
    return strip(cellText(cell)) === strip(cellText(wantedCell));
  });
}
