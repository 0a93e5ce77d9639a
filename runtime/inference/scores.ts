// Success rates per task and overall, with confidence intervals.

import { clustered, type Interval, type SuccessTally, wilson } from '../data/interval.ts';

export interface TaskScore extends SuccessTally {
  readonly task: string;
}

export const overall = (scores: readonly SuccessTally[]): Interval => clustered(scores);

/** The lowest success rate first. */
export const worstFirst = (scores: readonly TaskScore[]): readonly (TaskScore & Interval)[] =>
  scores
    .map(score => ({ ...score, ...wilson(score) }))
    .sort((a, b) => a.rate - b.rate || (a.task < b.task ? -1 : 1));
