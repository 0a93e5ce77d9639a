// Trainings as they might be at some moment, to be shown.

import type { View } from '../../../runtime/daemon/learn/terminal/frame.ts';
import type { Point } from '../../../runtime/daemon/terminal/progress.ts';
import { clustered } from '../../../runtime/data/interval.ts';

export const point = (seconds: number, solved: number, of = 92): Point => {
  const tasks = 23;
  // Some tasks are solved and some are not.
  const tallies = Array.from({ length: tasks }, (_, index) => ({
    successes: Math.max(0, Math.min(of / tasks, solved - (index * of) / tasks)),
    trials: of / tasks,
  }));
  return { seconds, ...clustered(tallies) };
};

export const VIEW: View = {
  about: ['tier 1', '23 tasks', 'seed dartboard'],
  doing: 'playing',
  seconds: 150,
  of: 300,
  curve: [point(0, 0), point(15, 5), point(45, 19), point(75, 40), point(105, 52), point(135, 61)],
  counts: {
    player: { explored: 9000, findings: 745, episodes: 1397, steps: 4321, rates: {} },
    student: {
      updates: 1386,
      rows: 40_000,
      trained: 111,
      filtered: 66,
      dropped: 0,
      injected: 3,
      keptShare: 0.8,
      kinds: {},
      last: undefined,
    },
  },
};
