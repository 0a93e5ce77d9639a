// The benchmark of survival: what hostile inputs do to the borders of Dartboard.

import type { Benchmark } from '../report.ts';
import { DEFAULT_MINUTES, hostileInputs, repeatInput } from './hostile/hostile.ts';

export const survive: Benchmark = {
  name: 'survive',
  summary:
    'a million hostile inputs to every border: crashes, blocked event loops, growth, and errors without a remedy',
  run: async (report, { minutes = DEFAULT_MINUTES, input }) => {
    // The timers of the clock let a process end that waits for nothing else.
    const keepAlive = setInterval(() => undefined, 1000);
    try {
      if (input === undefined) return await hostileInputs(report, minutes);
      report.say(await repeatInput(input));
      return { figures: {}, config: { input } };
    } finally {
      clearInterval(keepAlive);
    }
  },
};
