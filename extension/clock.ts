// The time as it is; whoever needs it is handed it.

import { setTimeout } from 'node:timers/promises';
import type { Clock } from './daemon/client.ts';

export const clock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { ...(signal && { signal }) }),
};
