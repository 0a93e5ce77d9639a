// Metrics of the spacing of lines.

import { lineSpacingOf, paragraphsOf } from '../../formats/document/paragraph.ts';
import { type Metrics, pass } from '../metric.ts';
import { scoreDocument } from './open-documents.ts';
import { scoreSameText } from './same-text.ts';

export const LINE_SPACING_METRICS = {
  /** Two documents have the same text and the same spacing in each paragraph. */
  compare_line_spacing: (result, expected) =>
    scoreSameText(result, expected, 'compare_line_spacing', (document, gold) => {
      const [paragraphs, wanted] = [paragraphsOf(document.body), paragraphsOf(gold.body)];
      const pairs = paragraphs.map((paragraph, index) => [paragraph, wanted[index]] as const);
      return pass(
        paragraphs.length === wanted.length &&
          pairs.every(
            ([paragraph, other]) => other !== undefined && lineSpacingOf(paragraph) === lineSpacingOf(other),
          ),
      );
    }),

  /** The first three paragraphs have single, double and one and a half spacing. */
  evaluate_spacing: result =>
    scoreDocument(result, ({ body }) => {
      const spacings = paragraphsOf(body).slice(0, 3).map(lineSpacingOf);
      return pass([1, 2, 1.5].every((spacing, index) => spacings[index] === spacing));
    }),
} satisfies Metrics;
