// Cases of the metrics in `tasks/metrics/spreadsheets`.

import type { CaseMakers } from '../metric-case.ts';

export const SPREADSHEET_CASES = {} satisfies CaseMakers;
