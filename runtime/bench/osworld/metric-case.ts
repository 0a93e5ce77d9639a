// Random cases on which our metrics are compared with OSWorld's own.

import type { Random } from '../../core/rng.ts';
import type { Options } from '../../tasks/metrics/metric.ts';

/** One call of a metric. Its files are TaskFiles. An undefined `expected` is left out of the call. */
export interface MetricCase {
  readonly result: unknown;
  readonly expected?: unknown;
  readonly options?: Options;
}

/** Makes one case. Equal random numbers give equal bytes. About half of the cases should score more than 0. */
export type CaseMaker = (random: Random) => MetricCase;

export type CaseMakers = Readonly<Record<string, CaseMaker>>;

export const CASES_PER_METRIC = 200;
