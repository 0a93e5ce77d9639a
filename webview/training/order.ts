// The order of tasks and runs. Pure.

import { isOver, type RunState, type RunSummary } from '../../runtime/protocol/daemon/state.ts';

type Task = RunState['tasks'][number];

/** Lowest success rate first; tasks without attempts last. */
export const worstFirst = (tasks: readonly Task[]): readonly Task[] =>
  [...tasks].sort(
    (a, b) => (a.rate ?? 2) - (b.rate ?? 2) || b.rollouts - a.rollouts || a.task.localeCompare(b.task),
  );

export const newestFirst = (runs: readonly RunSummary[]): readonly RunSummary[] =>
  [...runs].sort((a, b) => b.startedAt - a.startedAt);

/** The chosen run, else one that trains, else the newest. */
export function runToShow(runs: readonly RunSummary[], chosen: string | undefined): string | undefined {
  const newest = newestFirst(runs);
  const found = newest.find(({ run }) => run === chosen) ?? newest.find(each => !isOver(each)) ?? newest[0];
  return found?.run;
}
