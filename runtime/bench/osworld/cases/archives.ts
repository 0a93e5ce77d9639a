// Cases of the metrics in `tasks/metrics/archives`.

import type { CaseMakers } from '../metric-case.ts';

export const ARCHIVE_CASES = {} satisfies CaseMakers;
