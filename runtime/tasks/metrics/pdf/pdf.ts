// The metrics of PDF files, by name.

import type { Metrics } from '../metric.ts';
import { PDF_IMAGE_METRICS } from './images.ts';
import { PDF_PAGE_METRICS } from './pages.ts';
import { PDF_TEXT_METRICS } from './texts.ts';

export const PDF_METRICS = {
  ...PDF_TEXT_METRICS,
  ...PDF_PAGE_METRICS,
  ...PDF_IMAGE_METRICS,
} satisfies Metrics;
