// Cases of the metrics in `tasks/metrics/browser`.

import type { CaseMakers } from '../metric-case.ts';

export const BROWSER_CASES = {} satisfies CaseMakers;
