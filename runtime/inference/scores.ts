// Success rates per task, with confidence intervals.

import { type Interval, type SuccessTally, wilson } from '../data/interval.ts';

export interface TaskScore extends SuccessTally {
  readonly task: string;
}

/** The lowest success rate first. */
export const worstFirst = (scores: readonly TaskScore[]): readonly (TaskScore & Interval)[] =>
  scores
    .map(score => ({ ...score, ...wilson(score) }))
    .sort((a, b) => a.rate - b.rate || (a.task < b.task ? -1 : 1));
