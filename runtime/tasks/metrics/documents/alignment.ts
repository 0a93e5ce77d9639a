// Metrics of the alignment of text.

import { alignmentOf, paragraphsOf } from '../../formats/document/paragraph.ts';
import { splitWords } from '../../formats/python/text.ts';
import { type Metrics, pass } from '../metric.ts';
import { scoreDocument, textsOf } from './open-documents.ts';

export const ALIGNMENT_METRICS = {
  /** The first paragraph is centred itself, not by its style. */
  is_first_line_centered: result =>
    scoreDocument(result, ({ body }) => {
      const first = paragraphsOf(body)[0];
      return pass(first !== undefined && alignmentOf(first) === 'center');
    }),

  /** In each sentence the first three words are separated from the rest by a tab or a gap. */
  evaluate_alignment: result =>
    scoreDocument(result, document =>
      pass(
        textsOf(document)
          .flatMap(text => text.split('.'))
          .every(isSplit),
      ),
    ),
} satisfies Metrics;

/**
 * As in OSWorld, which requires only that single spaces separate the words of each part and that a rest exists. A sentence of fewer
 * than three words is not checked.
 */
function isSplit(sentence: string): boolean {
  const words = splitWords(sentence);
  if (words.length < 3) return true;
  const [start, rest] = [words.slice(0, 3).join(' '), words.slice(3).join(' ')];
  const place = sentence.indexOf(start);
  return place >= 0 && place < sentence.indexOf(rest);
}
