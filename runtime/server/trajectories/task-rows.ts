// Statistics of tasks: their success rate in total and over time, and their members of the success pool.

import type { TaskId } from '../../core/ids.ts';
import type { RateFilter, TaskRateInterval, TrajectoryIndex } from '../../data/index/queries.ts';
import type { TaskRow } from '../../protocol/daemon/annotation.ts';
import type { TaskAbout } from './suites.ts';

/** The intervals of a trend. */
export const TREND_PARTS = 8;

type Questions = Pick<TrajectoryIndex, 'rates' | 'ratesOverTime' | 'memberCounts'>;

export async function taskRows(
  questions: Questions,
  tasks: readonly TaskAbout[],
  filter: RateFilter,
): Promise<TaskRow[]> {
  const [rates, trends, members] = await Promise.all([
    questions.rates({ filter }),
    trendsOf(questions, filter),
    questions.memberCounts(),
  ]);
  const rateOf = new Map(rates.map(rate => [rate.task, rate]));
  return tasks.map(({ apps, ...about }) => {
    const { successes = 0, trials = 0, broken = 0 } = rateOf.get(about.task) ?? {};
    const trend = trends.get(about.task) ?? [];
    const count = members.get(about.task) ?? 0;
    return { ...about, apps: [...apps], successes, trials, broken, trend, members: count };
  });
}

async function trendsOf(
  questions: Questions,
  filter: RateFilter,
): Promise<ReadonlyMap<TaskId, TaskRow['trend']>> {
  const trends = new Map<TaskId, TaskRow['trend']>();
  for (const at of await questions.ratesOverTime({ filter, parts: TREND_PARTS })) addToTrend(trends, at);
  return trends;
}

function addToTrend(
  trends: Map<TaskId, TaskRow['trend']>,
  { task, from, successes, trials }: TaskRateInterval,
): void {
  if (trials === 0) return;
  trends.set(task, [...(trends.get(task) ?? []), { from, successes, trials }]);
}
