// The metrics of pictures, by name.

import type { Metrics } from '../metric.ts';

export const PICTURE_METRICS = {} satisfies Metrics;
