// Cases of the metrics in `tasks/metrics/texts`.

import type { CaseMakers } from '../metric-case.ts';

export const TEXT_CASES = {} satisfies CaseMakers;
