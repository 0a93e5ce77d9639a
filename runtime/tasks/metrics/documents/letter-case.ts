// Metric of upper and lower case.

import { paragraphsOf, runsOf } from '../../formats/document/paragraph.ts';
import { runText } from '../../formats/document/run.ts';
import { rowCells, tablesOf } from '../../formats/document/table.ts';
import { type Metrics, pass } from '../metric.ts';
import { scoreDocument } from './open-documents.ts';

export const LETTER_CASE_METRICS = {
  /** No run of a paragraph or of a table is in capitals only. */
  evaluate_conversion: result =>
    scoreDocument(result, ({ body }) => {
      const cells = tablesOf(body).flatMap(table => rowCells(table).flat());
      const runs = [...cells, body].flatMap(paragraphsOf).flatMap(runsOf);
      return pass(!runs.some(run => isCapitals(runText(run))));
    }),
} satisfies Metrics;

const isCapitals = (text: string): boolean =>
  /\p{Uppercase}/u.test(text) && !/\p{Lowercase}|\p{Lt}/u.test(text);
