// The metrics of spreadsheets, by name.

import type { Metrics } from '../metric.ts';

export const SPREADSHEET_METRICS = {} satisfies Metrics;
