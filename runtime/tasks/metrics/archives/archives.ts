// The metrics of archives and books, by name.

import { pageText } from '../../formats/pdf/page-text.ts';
import { DOCUMENT_METRICS } from '../documents/documents.ts';
import type { Metric, Metrics } from '../metric.ts';
import { PDF_METRICS } from '../pdf/pdf.ts';
import { readResultPages } from '../pdf/read-pdf.ts';
import { PICTURE_METRICS } from '../pictures/pictures.ts';
import { SLIDE_METRICS } from '../slides/slides.ts';
import { SOUND_METRICS } from '../sound/sound.ts';
import { SPREADSHEET_METRICS } from '../spreadsheets/spreadsheets.ts';
import { VALUE_METRICS } from '../values.ts';
import { compareArchive } from './compare-archive.ts';
import { compareEpub } from './compare-epub.ts';
import { compareZipFiles } from './compare-zip-files.ts';

/** The metrics of single files. The list of all metrics contains this module, so it cannot be imported here. */
const FILE_METRICS: Metrics = {
  ...VALUE_METRICS,
  ...SPREADSHEET_METRICS,
  ...DOCUMENT_METRICS,
  ...SLIDE_METRICS,
  ...PICTURE_METRICS,
  ...PDF_METRICS,
  ...SOUND_METRICS,
};

const metricOf = (name: string): Metric | undefined =>
  Object.hasOwn(FILE_METRICS, name) ? FILE_METRICS[name] : undefined;

const textOfPdf = async (bytes: Uint8Array): Promise<string | undefined> =>
  (await readResultPages({ name: 'part.pdf', bytes }, pageText))?.join('');

export const ARCHIVE_METRICS = {
  compare_archive: compareArchive(metricOf),
  compare_epub: compareEpub,
  compare_zip_files: compareZipFiles(textOfPdf),
} satisfies Metrics;
