// The metrics of pictures, by name.

import type { Metrics } from '../metric.ts';
import { PLACE_METRICS } from './places.ts';
import { SHARPNESS_METRICS } from './sharpness.ts';
import { SIMILARITY_METRICS } from './similarity.ts';
import { SIZE_METRICS } from './sizes.ts';
import { STRUCTURE_METRICS } from './structure.ts';
import { TONE_METRICS } from './tones.ts';

export const PICTURE_METRICS = {
  ...SIMILARITY_METRICS,
  ...STRUCTURE_METRICS,
  ...TONE_METRICS,
  ...SIZE_METRICS,
  ...PLACE_METRICS,
  ...SHARPNESS_METRICS,
} satisfies Metrics;
