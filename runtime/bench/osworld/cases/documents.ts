// Cases of the metrics in `tasks/metrics/documents`.

import type { CaseMakers } from '../metric-case.ts';
import { DETAIL_DOCUMENT_CASES } from './documents-details.ts';
import { FORMAT_DOCUMENT_CASES } from './documents-formats.ts';
import { PICTURE_DOCUMENT_CASES } from './documents-pictures.ts';
import { TABLE_DOCUMENT_CASES } from './documents-tables.ts';
import { TEXT_DOCUMENT_CASES } from './documents-texts.ts';

export const DOCUMENT_CASES = {
  ...TEXT_DOCUMENT_CASES,
  ...TABLE_DOCUMENT_CASES,
  ...PICTURE_DOCUMENT_CASES,
  ...FORMAT_DOCUMENT_CASES,
  ...DETAIL_DOCUMENT_CASES,
} satisfies CaseMakers;
