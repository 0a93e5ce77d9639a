// The metrics of sound and film, by name.

import type { Metrics } from '../metric.ts';
import { TAG_METRICS } from './check-mp3-meta.ts';

export const SOUND_METRICS = { ...TAG_METRICS } satisfies Metrics;
