// Cases of the metrics in `tasks/metrics/settings`.

import type { CaseMakers } from '../metric-case.ts';

export const SETTING_CASES = {} satisfies CaseMakers;
