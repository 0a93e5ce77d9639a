// The metrics of presentations, by name.

import type { Metrics } from '../metric.ts';

export const SLIDE_METRICS = {} satisfies Metrics;
