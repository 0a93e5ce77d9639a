// The metrics of archives, books and web pages, by name.

import type { Metrics } from '../metric.ts';

export const ARCHIVE_METRICS = {} satisfies Metrics;
