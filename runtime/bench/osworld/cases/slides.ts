// Cases of the metrics in `tasks/metrics/slides`.

import type { CaseMakers } from '../metric-case.ts';

export const SLIDE_CASES = {} satisfies CaseMakers;
