// Compares our scores with those of OSWorld's own metrics.

import { messageOf } from '../../core/errors.ts';
import { MetricError } from '../../tasks/metrics/metric.ts';
import { metricOf } from '../../tasks/metrics.ts';
import type { MetricCase } from './metric-case.ts';

/** Scores that differ by at most this agree: text positions of PDF files and rounding of pixels differ a little between libraries. */
export const TOLERANCE = 0.005;

export interface Comparison {
  readonly index: number;
  readonly ours: number | null;
  /** Null where the original raises an exception, and so gives no score. */
  readonly theirs: number | null;
  readonly error?: string;
}

/** A call without a score on one side agrees with a score of 0 on the other. */
export const agrees = ({ ours, theirs }: Comparison): boolean =>
  Math.abs((ours ?? 0) - (theirs ?? 0)) <= TOLERANCE;

export async function compareScores(
  metric: string,
  cases: readonly MetricCase[],
  theirs: readonly (number | null)[],
): Promise<readonly Comparison[]> {
  const run = metricOf(metric);
  if (run === undefined) throw new RangeError(`There is no metric ${metric}.`);
  const comparisons: Comparison[] = [];
  for (const [index, { result, expected, options = {} }] of cases.entries()) {
    const score = theirs[index] ?? null;
    try {
      comparisons.push({ index, ours: await run(result, expected, options), theirs: score });
    } catch (error) {
      // A task with an error has no score; any other exception is a fault of ours.
      if (!(error instanceof MetricError)) throw error;
      comparisons.push({ index, ours: null, theirs: score, error: messageOf(error) });
    }
  }
  return comparisons;
}
