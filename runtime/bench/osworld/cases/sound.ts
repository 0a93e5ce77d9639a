// Cases of the metrics in `tasks/metrics/sound`.

import type { CaseMakers } from '../metric-case.ts';

export const SOUND_CASES = {} satisfies CaseMakers;
