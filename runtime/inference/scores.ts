// Success rates per task and overall, with confidence intervals.

import { clustered, type Interval, type Tally, wilson } from '../data/interval.ts';

export interface TaskScore extends Tally {
  readonly task: string;
}

/** Of a single task nothing is clustered. */
export const overall = (scores: readonly Tally[]): Interval => clustered(scores);

/** The worst first: these are what is left to do. */
export const worstFirst = (scores: readonly TaskScore[]): readonly (TaskScore & Interval)[] =>
  scores
    .map(score => ({ ...score, ...wilson(score) }))
    .sort((a, b) => a.rate - b.rate || (a.task < b.task ? -1 : 1));
