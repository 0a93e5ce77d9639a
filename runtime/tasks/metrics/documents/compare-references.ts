// Metric of the list of references at the end of a document.

import { ratio } from '../../similarity/ratio.ts';
import { MetricError, type Metrics, type Options } from '../metric.ts';
import { scoreNamedPair, textsOf } from './open-documents.ts';
import { numberOf } from './rules.ts';
import { isBlank } from './white-space.ts';

/** A mean similarity below the base and this margin scores 0. */
const MARGIN = 0.01;

export const REFERENCE_COMPARISONS = {
  /** The mean similarity of the references, where the base similarity of unsolved documents counts as 0. */
  compare_references: (result, expected, options) => {
    const base = numberOf(options, 'reference_base_result', 'compare_references') ?? 0.5;
    const heading = headingOf(options);
    return scoreNamedPair(result, expected, 'compare_references', (document, gold) => {
      const [found, wanted] = [
        referencesAfter(textsOf(document), heading),
        referencesAfter(textsOf(gold), heading),
      ];
      if (found === undefined || wanted === undefined) return found === wanted ? 1 : 0;
      if (found.length !== wanted.length || found.length === 0) return 0;
      const sum = found.reduce((total, text, index) => total + ratio(text, wanted[index] ?? ''), 0);
      const mean = sum / found.length;
      return mean >= base + MARGIN ? (mean - base) / (1 - base) : 0;
    });
  },
} satisfies Metrics;

function headingOf(options: Options): string {
  const heading = options['reference_indicator'] ?? 'References';
  if (typeof heading === 'string') return heading;
  throw new MetricError(
    `compare_references cannot use ${JSON.stringify(heading)} as "reference_indicator". Write the text of the heading.`,
  );
}

function referencesAfter(texts: readonly string[], heading: string): readonly string[] | undefined {
  const index = texts.indexOf(heading);
  return index < 0 ? undefined : texts.slice(index + 1).filter(text => !isBlank(text));
}
