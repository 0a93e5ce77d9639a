// How an episode came out: judged with a score, or broken and so without any. The two are different arms of one union,
// so that infrastructure trouble can never turn into reward 0. It judges nothing itself: evaluators do.

import type { Failure } from './failure.ts';

export interface Verdict {
  /** From 0 to 1; evaluators may give parts. */
  readonly score: number;
  /** In words for a user: what was compared and what was missing. */
  readonly why: string;
}

/** How a judged episode ended: by the agent's word `finished`, by its word `fail`, or by running out of steps. */
export type Ending = 'finished' | 'fail' | 'capped';

export type Outcome =
  | { readonly kind: 'judged'; readonly ending: Ending; readonly verdict: Verdict }
  | { readonly kind: 'broken'; readonly failure: Failure };

/** Evaluators average floating-point parts, so a full score may fall short of 1 by a rounding. */
export const SUCCESS = 0.999;

export const verdict = (score: number, why: string): Verdict => {
  if (!(score >= 0 && score <= 1)) {
    throw new RangeError(`${score} is no score: an evaluator must give a number from 0 to 1 (why: ${why})`);
  }
  return { score, why };
};

export const isSuccess = (outcome: Outcome): boolean =>
  outcome.kind === 'judged' && outcome.verdict.score >= SUCCESS;

/** The reward to learn from; undefined, and never 0, where the infrastructure broke. */
export const rewardOf = (outcome: Outcome): number | undefined =>
  outcome.kind === 'judged' ? outcome.verdict.score : undefined;

/** On an infeasible task only the agent's own word `fail` is right: running out of steps proves no insight. */
export const judgeInfeasible = (ending: Ending): Verdict =>
  ending === 'fail'
    ? { score: 1, why: 'the task cannot be done and the agent said so' }
    : { score: 0, why: `the task cannot be done and the agent did not say so (it ended by: ${ending})` };
