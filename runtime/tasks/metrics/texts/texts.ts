// The metrics of texts, lists, tables of text and structured data, by name.

import type { Metrics } from '../metric.ts';

export const TEXT_METRICS = {} satisfies Metrics;
