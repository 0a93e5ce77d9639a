// The benchmark of survival: what hostile inputs do to the borders of Dartboard.

import type { Benchmark } from '../report.ts';
import { DEFAULT_MINUTES, hostileInputs, repeatInput } from './hostile/hostile.ts';
import { keepingAlive } from './keep-alive.ts';

export const survive: Benchmark = {
  name: 'survive',
  summary:
    'a million hostile inputs to every border: crashes, blocked event loops, growth, and errors without a remedy',
  run: (report, { minutes = DEFAULT_MINUTES, input }) =>
    keepingAlive(async () => {
      if (input === undefined) return hostileInputs(report, minutes);
      report.say(await repeatInput(input));
      return { figures: {}, config: { input } };
    }),
};
