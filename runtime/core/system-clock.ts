// The clock of this machine, as this process sees it: it never goes back.

import { setTimeout } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { SteadyTime } from './steady-time.ts';

const time = new SteadyTime(() => Date.now());

/** As the machine has it. It may go back, so only for what other machines compare with their clocks, such as signatures. */
export const wallTime = (): number => Date.now();

export const systemClock: Clock = {
  now: () => time.now(),
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
