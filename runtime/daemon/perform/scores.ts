// How well a policy did, as numbers: task by task, and all together with an interval. Made from what an evaluation gives.

import { clustered, type Interval, type Tally, wilson } from '../../data/interval.ts';

export interface TaskScore extends Tally {
  readonly task: string;
}

/** In the order in which tasks first occur. */
export function scoresOf(
  results: readonly { readonly task: string; readonly success: boolean }[],
): readonly TaskScore[] {
  const scores = new Map<string, TaskScore>();
  for (const { task, success } of results) {
    const { successes, trials } = scores.get(task) ?? { successes: 0, trials: 0 };
    scores.set(task, { task, successes: successes + Number(success), trials: trials + 1 });
  }
  return [...scores.values()];
}

/** Of a single task nothing is clustered. */
export const overall = (scores: readonly Tally[]): Interval => clustered(scores);

/** The worst first: these are what is left to do. */
export const worstFirst = (scores: readonly TaskScore[]): readonly (TaskScore & Interval)[] =>
  scores
    .map(score => ({ ...score, ...wilson(score) }))
    .sort((a, b) => a.rate - b.rate || (a.task < b.task ? -1 : 1));
