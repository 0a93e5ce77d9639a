// The metrics of evaluators by name.

import { distance } from 'fastest-levenshtein';
import { ARCHIVE_METRICS } from './metrics/archives/archives.ts';
import { BROWSER_METRICS } from './metrics/browser/browser.ts';
import { DOCUMENT_METRICS } from './metrics/documents/documents.ts';
import type { Metric, Metrics } from './metrics/metric.ts';
import { PDF_METRICS } from './metrics/pdf/pdf.ts';
import { PICTURE_METRICS } from './metrics/pictures/pictures.ts';
import { SETTING_METRICS } from './metrics/settings/settings.ts';
import { SLIDE_METRICS } from './metrics/slides/slides.ts';
import { SOUND_METRICS } from './metrics/sound/sound.ts';
import { SPREADSHEET_METRICS } from './metrics/spreadsheets/spreadsheets.ts';
import { TEXT_METRICS } from './metrics/texts/texts.ts';
import { VALUE_METRICS } from './metrics/values.ts';

const METRICS: Metrics = {
  ...VALUE_METRICS,
  ...TEXT_METRICS,
  ...SETTING_METRICS,
  ...BROWSER_METRICS,
  ...SPREADSHEET_METRICS,
  ...DOCUMENT_METRICS,
  ...SLIDE_METRICS,
  ...PICTURE_METRICS,
  ...PDF_METRICS,
  ...ARCHIVE_METRICS,
  ...SOUND_METRICS,
};

/** Metrics of OSWorld that cannot be computed here, with the reason. */
export const MISSING_METRICS: Readonly<Record<string, string>> = {
  compare_audios: 'it compares sounds by their spectrum',
  compare_image_text: 'it reads text from a picture with a neural network of 100 MB',
  compare_videos: 'it decodes films',
  check_python_file_by_test_suite: 'it runs code that the agent wrote',
};

export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

export const metricOf = (name: string): Metric | undefined =>
  Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;

export const isMetric = (name: string): boolean => metricOf(name) !== undefined;

/** A comparison takes time in proportion to the length. */
const MAX_NAME_LENGTH = 100;

/** Says why a name is not a metric, and what to write instead. */
export function unknownMetric(name: unknown): string {
  if (typeof name === 'string' && Object.hasOwn(MISSING_METRICS, name))
    return `${name} is a metric of OSWorld that Dartboard does not have, since ${MISSING_METRICS[name]}. Use another metric`;
  // An object of a file may have no text.
  const written = typeof name === 'string' ? name : '';
  const near = (written.length <= MAX_NAME_LENGTH ? METRIC_NAMES : []).filter(
    each => distance(each, written) <= 1 + written.length / 4,
  );
  const closest = near.sort((a, b) => distance(a, written) - distance(b, written))[0];
  const advice =
    closest === undefined
      ? 'docs/osworld.md lists the metrics'
      : `Did you mean ${closest}? docs/osworld.md lists all`;
  return `${JSON.stringify(name)?.slice(0, MAX_NAME_LENGTH)} is not a metric. ${advice}`;
}
