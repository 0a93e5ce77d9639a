// Metric of names of places in a document.

import { splitWords } from '../../formats/python/text.ts';
import { ratio } from '../../similarity/ratio.ts';
import { MetricError, type Metrics, rulesOf } from '../metric.ts';
import { scoreDocument, textsOf } from './open-documents.ts';

const REQUIRED_WORDS = 3;

export const PLACE_METRICS = {
  /** The mean similarity of three words to the most similar name of the rule. */
  fuzzy_place_math: (result, expected) => {
    const names = rulesOf(expected)['expected'];
    if (!Array.isArray(names) || !names.every(name => typeof name === 'string')) {
      throw new MetricError(
        `fuzzy_place_math cannot use ${JSON.stringify(names) ?? 'nothing'} as "expected". Write a list of names.`,
      );
    }
    return scoreDocument(result, document => {
      const words = textsOf(document).flatMap(splitWords);
      if (words.length !== REQUIRED_WORDS) return 0;
      const scores = words.map(word => Math.max(0, ...names.map(name => ratio(word, name))));
      return scores.reduce((sum, score) => sum + score, 0) / REQUIRED_WORDS;
    });
  },
} satisfies Metrics;
