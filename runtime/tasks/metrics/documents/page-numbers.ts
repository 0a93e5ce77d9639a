// Metric of page numbers.

import { paragraphText } from '../../formats/document/paragraph.ts';
import { footerParagraphs, sectionsOf } from '../../formats/document/section.ts';
import { type Metrics, pass } from '../metric.ts';
import { scoreDocument } from './open-documents.ts';

export const PAGE_NUMBER_METRICS = {
  /** The first line of each footer has a digit, which is the stored text of a field. */
  has_page_numbers_in_footers: result =>
    scoreDocument(result, document =>
      pass(
        sectionsOf(document).every(section => {
          const first = footerParagraphs(document, section)[0];
          return first !== undefined && DIGIT.test(paragraphText(first));
        }),
      ),
    ),
} satisfies Metrics;

/** The digits of Python's `isdigit`: decimal digits, raised and lowered ones, and those in circles and brackets. */
const DIGIT =
  /[\p{Nd}\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]/u;
