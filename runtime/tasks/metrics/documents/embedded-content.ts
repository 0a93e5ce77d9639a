// Metrics of what paragraphs contain besides text: equations, pictures, breaks of pages.

import { paragraphsOf, runsOf } from '../../formats/document/paragraph.ts';
import { hasDrawing, hasObject, pageBreaks } from '../../formats/document/run.ts';
import { MetricError, type Metrics, pass, rulesOf } from '../metric.ts';
import { scoreDocument, scorePair } from './open-documents.ts';
import { runPairs } from './run-pairs.ts';
import { scoreSameText } from './same-text.ts';

export const EMBEDDED_METRICS = {
  /** The text is unchanged, and a run has an equation in both documents. */
  compare_insert_equation: (result, expected) =>
    scoreSameText(result, expected, 'compare_insert_equation', (document, gold) =>
      pass(runPairs(document, gold).some(([run, other]) => hasObject(run) && hasObject(other))),
    ),

  /** Each run has a picture or none, as in the expected document. */
  compare_contains_image: (result, expected) =>
    scorePair(result, expected, 'compare_contains_image', (document, gold) =>
      pass(runPairs(document, gold).every(([run, other]) => hasDrawing(run) === hasDrawing(other))),
    ),

  /** The document has a break of a page, and as many as the rule requires. */
  contains_page_break: (result, expected) => {
    const required = requiredBreaks(expected);
    return scoreDocument(result, ({ body }) => {
      const runs = paragraphsOf(body).flatMap(runsOf);
      const count = runs.reduce((sum, run) => sum + pageBreaks(run), 0);
      return pass(count > 0 && count === (required ?? count));
    });
  },
} satisfies Metrics;

function requiredBreaks(expected: unknown): number | undefined {
  const count = rulesOf(expected)['page_break_count'];
  if (count === undefined || count === null || typeof count === 'number') return count ?? undefined;
  throw new MetricError(
    `contains_page_break cannot use ${JSON.stringify(count)} as "page_break_count". Write a number.`,
  );
}
