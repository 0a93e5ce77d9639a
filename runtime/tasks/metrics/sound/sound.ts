// The metrics of sound and film, by name.

import type { Metrics } from '../metric.ts';

export const SOUND_METRICS = {} satisfies Metrics;
