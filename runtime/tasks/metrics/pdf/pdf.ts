// The metrics of PDF files, by name.

import type { Metrics } from '../metric.ts';

export const PDF_METRICS = {} satisfies Metrics;
