// The makers of cases by metric, and the cases that they make.

import { seeded } from '../../core/rng.ts';
import { ARCHIVE_CASES } from './cases/archives.ts';
import { BROWSER_CASES } from './cases/browser.ts';
import { DOCUMENT_CASES } from './cases/documents.ts';
import { PDF_CASES } from './cases/pdf.ts';
import { PICTURE_CASES } from './cases/pictures.ts';
import { SETTING_CASES } from './cases/settings.ts';
import { SLIDE_CASES } from './cases/slides.ts';
import { SOUND_CASES } from './cases/sound.ts';
import { SPREADSHEET_CASES } from './cases/spreadsheets.ts';
import { TEXT_CASES } from './cases/texts.ts';
import { VALUE_CASES } from './cases/values.ts';
import { CASES_PER_METRIC, type CaseMakers, type MetricCase } from './metric-case.ts';

export const CASE_MAKERS: CaseMakers = {
  ...VALUE_CASES,
  ...TEXT_CASES,
  ...SETTING_CASES,
  ...BROWSER_CASES,
  ...SPREADSHEET_CASES,
  ...DOCUMENT_CASES,
  ...SLIDE_CASES,
  ...PICTURE_CASES,
  ...PDF_CASES,
  ...ARCHIVE_CASES,
  ...SOUND_CASES,
};

/** The same cases at each call. */
export function casesOf(metric: string): readonly MetricCase[] {
  const make = CASE_MAKERS[metric];
  if (make === undefined) throw new RangeError(`There is no maker of cases for ${metric}.`);
  return Array.from({ length: CASES_PER_METRIC }, (_, index) => make(seeded(`${metric} ${index}`)));
}
