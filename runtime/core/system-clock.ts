// The clock of this machine.

import { setTimeout } from 'node:timers/promises';
import type { Clock } from './clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await setTimeout(milliseconds, undefined, { signal, ref: false });
    } catch (error) {
      // Node rejects with an error of its own and keeps the reason inside.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
