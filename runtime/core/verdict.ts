// The outcome of an episode: judged with a score, or broken without one. They are separate variants of a union, so that a failure of the
// infrastructure never becomes reward 0.

import type { Failure } from './failure.ts';

export interface Verdict {
  /** From 0 to 1; evaluators may give partial scores. */
  readonly score: number;
  /** For the user: what was compared and what was missing. */
  readonly why: string;
}

/** The end of a judged episode: the action `finished`, the action `fail`, or the step limit. */
export type Ending = 'finished' | 'fail' | 'capped';

export type Outcome =
  | { readonly kind: 'judged'; readonly ending: Ending; readonly verdict: Verdict }
  | { readonly kind: 'broken'; readonly failure: Failure };

/** Minimum score of a success. Averages of floating-point parts can be slightly below 1. */
export const SUCCESS = 0.999;

export const verdict = (score: number, why: string): Verdict => {
  if (!(score >= 0 && score <= 1)) {
    throw new RangeError(`Invalid score ${score} (${why}). An evaluator must return a number from 0 to 1.`);
  }
  return { score, why };
};

export const isSuccess = (outcome: Outcome): boolean =>
  outcome.kind === 'judged' && outcome.verdict.score >= SUCCESS;

/** The reward for training; undefined, never 0, for a broken episode. */
export const rewardOf = (outcome: Outcome): number | undefined =>
  outcome.kind === 'judged' ? outcome.verdict.score : undefined;

/** An infeasible task is solved by the action `fail` alone: reaching the step limit is not enough. */
export const judgeInfeasible = (ending: Ending): Verdict =>
  ending === 'fail'
    ? { score: 1, why: 'the task cannot be done and the agent said so' }
    : { score: 0, why: `the task cannot be done and the agent did not say so (it ended by: ${ending})` };
