// Runs at the same place of two documents.

import type { Docx } from '../../formats/document/docx.ts';
import { paragraphsOf, runsOf } from '../../formats/document/paragraph.ts';
import type { Element } from '../../formats/xml.ts';

/** Pairs the runs by their index in paragraphs of the same index. Runs without a partner are left out. */
export function runPairs(first: Docx, second: Docx): readonly (readonly [Element, Element])[] {
  const others = paragraphsOf(second.body);
  return paragraphsOf(first.body).flatMap((paragraph, index) => {
    const other = others[index];
    const otherRuns = other === undefined ? [] : runsOf(other);
    return runsOf(paragraph).flatMap((run, place) => {
      const otherRun = otherRuns[place];
      return otherRun === undefined ? [] : [[run, otherRun] as const];
    });
  });
}
