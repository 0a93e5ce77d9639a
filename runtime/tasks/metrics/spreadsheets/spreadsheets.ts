// The metrics of spreadsheets, by name.

import type { Metrics } from '../metric.ts';
import { compareCsv } from './compare-csv.ts';
import { compareTable } from './compare-table.ts';
import { compareConferenceCityInOrder } from './conference-cities.ts';

export const SPREADSHEET_METRICS = {
  compare_table: compareTable,
  compare_csv: compareCsv,
  compare_conference_city_in_order: compareConferenceCityInOrder,
} satisfies Metrics;
