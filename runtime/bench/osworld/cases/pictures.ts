// Cases of the metrics in `tasks/metrics/pictures`.

import type { CaseMakers } from '../metric-case.ts';

export const PICTURE_CASES = {} satisfies CaseMakers;
