// Cases of the metrics in `tasks/metrics/documents`.

import type { CaseMakers } from '../metric-case.ts';

export const DOCUMENT_CASES = {} satisfies CaseMakers;
