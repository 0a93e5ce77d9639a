// Cases of the metrics in `tasks/metrics/pdf`.

import type { CaseMakers } from '../metric-case.ts';

export const PDF_CASES = {} satisfies CaseMakers;
