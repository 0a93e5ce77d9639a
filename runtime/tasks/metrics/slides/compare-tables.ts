// The tables of two shapes: their size, and the paragraphs and fonts of their cells, but not their texts.

import { find } from '../../formats/presentation/dom.ts';
import { PresentationError } from '../../formats/presentation/presentation-error.ts';
import { type Table, tableOf } from '../../formats/presentation/shapes.ts';
import { fontOf, type Paragraph, paragraphsOf, runsOf } from '../../formats/presentation/text.ts';
import type { Element } from '../../formats/xml.ts';
import { sameCellFont } from './compare-fonts.ts';
import type { CompareOptions } from './compare-options.ts';
import { everyPair } from './pairs.ts';

export function sameTable(found: Element, wanted: Element, options: CompareOptions): boolean {
  const [first, second] = [tableOf(found), tableOf(wanted)];
  if (first.rows.length !== second.rows.length || first.columns !== second.columns) return false;
  return everyPair(cellsOf(first), cellsOf(second), (one, other) => sameCell(one, other, options));
}

/** One cell for each column of the grid; a row with fewer is an error. */
const cellsOf = ({ rows, columns }: Table): readonly Element[] =>
  rows.flatMap(row => {
    if (row.length < columns)
      throw new PresentationError(`A row has ${row.length} of ${columns} cells. Repair the table.`);
    return row.slice(0, columns);
  });

function sameCell(found: Element, wanted: Element, options: CompareOptions): boolean {
  const [first, second] = [cellParagraphs(found), cellParagraphs(wanted)];
  return (
    first.length === second.length &&
    everyPair(first, second, (one, other) => {
      const [runs, others] = [runsOf(one), runsOf(other)];
      return (
        (runs.length === others.length || !options.examines('run_count')) &&
        everyPair(runs, others, (run, another) => sameCellFont(fontOf(run), fontOf(another), options))
      );
    })
  );
}

const cellParagraphs = (cell: Element): readonly Paragraph[] => paragraphsOf(find(cell, 'a:txBody'));
