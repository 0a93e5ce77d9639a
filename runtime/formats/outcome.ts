// The outcome of a foreign trajectory. Pure.

import type { Action } from '../core/action.ts';
import type { Ending, Outcome } from '../core/verdict.ts';

/** The information of a format about success. */
export type ForeignScore =
  | { readonly kind: 'score'; readonly score: number; readonly why: string }
  | { readonly kind: 'none'; readonly why: string };

/** A trajectory without a score is broken, not failed: a failure would count as reward 0. A person can set a verdict. */
export const outcomeOf = (found: ForeignScore, last: Action | undefined): Outcome =>
  found.kind === 'score'
    ? {
        kind: 'judged',
        ending: endingOf(last),
        verdict: { score: found.score, why: found.why },
      }
    : {
        kind: 'broken',
        failure: {
          ...{ boundary: 'task', thing: 'import' },
          message: `${found.why} Set a verdict by hand to use the trajectory.`,
        },
      };

const endingOf = (last: Action | undefined): Ending =>
  last?.kind === 'finished' || last?.kind === 'fail' ? last.kind : 'capped';

/** The score in a text file such as result.txt; `file` names it. Some metrics of OSWorld return a truth value, or a negative number. */
export function scoreIn(text: string, file: string): ForeignScore {
  const trimmed = text.trim();
  const score = trimmed === 'True' ? 1 : trimmed === 'False' ? 0 : Number(trimmed);
  return trimmed !== '' && Number.isFinite(score) && score <= 1
    ? { kind: 'score', score: Math.max(0, score), why: `The file ${file} has this score.` }
    : {
        kind: 'none',
        why: `The file ${file} has no score from 0 to 1, but ${JSON.stringify(trimmed.slice(0, 40))}.`,
      };
}
