// Success rates per task, with confidence intervals.

import { byRate, type Interval, type SuccessTally, wilson } from '../data/interval.ts';

export interface TaskScore extends SuccessTally {
  readonly task: string;
}

/** The lowest success rate first; tasks without a judged episode last. */
export const worstFirst = (scores: readonly TaskScore[]): readonly (TaskScore & Interval)[] =>
  scores
    .map(score => ({ ...score, ...wilson(score) }))
    .sort((a, b) => byRate(a, b) || (a.task < b.task ? -1 : 1));
