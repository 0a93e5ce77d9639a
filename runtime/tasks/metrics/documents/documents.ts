// The metrics of text documents, by name.

import type { Metrics } from '../metric.ts';
import { ALIGNMENT_METRICS } from './alignment.ts';
import { COLORED_WORD_METRICS } from './colored-words.ts';
import { PICTURE_COMPARISONS } from './compare-pictures.ts';
import { REFERENCE_COMPARISONS } from './compare-references.ts';
import { TABLE_COMPARISONS } from './compare-tables.ts';
import { TEXT_COMPARISONS } from './compare-text.ts';
import { DEFAULT_FONT_METRICS } from './default-font.ts';
import { EMBEDDED_METRICS } from './embedded-content.ts';
import { FONT_METRICS } from './fonts.ts';
import { HIGHLIGHT_METRICS } from './highlights.ts';
import { LETTER_CASE_METRICS } from './letter-case.ts';
import { LINE_SPACING_METRICS } from './line-spacing.ts';
import { PAGE_NUMBER_METRICS } from './page-numbers.ts';
import { PLACE_METRICS } from './place-names.ts';
import { TAB_STOP_METRICS } from './tab-stops.ts';
import { TRAIN_METRICS } from './train-records.ts';

export const DOCUMENT_METRICS = {
  ...TEXT_COMPARISONS,
  ...REFERENCE_COMPARISONS,
  ...TABLE_COMPARISONS,
  ...PICTURE_COMPARISONS,
  ...LINE_SPACING_METRICS,
  ...TAB_STOP_METRICS,
  ...FONT_METRICS,
  ...EMBEDDED_METRICS,
  ...PAGE_NUMBER_METRICS,
  ...ALIGNMENT_METRICS,
  ...LETTER_CASE_METRICS,
  ...COLORED_WORD_METRICS,
  ...HIGHLIGHT_METRICS,
  ...DEFAULT_FONT_METRICS,
  ...TRAIN_METRICS,
  ...PLACE_METRICS,
} satisfies Metrics;
