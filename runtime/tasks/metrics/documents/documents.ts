// The metrics of text documents, by name.

import type { Metrics } from '../metric.ts';

export const DOCUMENT_METRICS = {} satisfies Metrics;
