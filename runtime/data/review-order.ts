// The orders of the review queue by what a person's decision teaches most, and the reasons; and by what a model suggests. Pure.

import type { TrajectoryId } from '../core/ids.ts';
import type { Ending } from '../core/verdict.ts';
import { REVIEW_REASONS, type ReviewReason } from '../protocol/daemon/annotation.ts';
import type { PoolVote } from './files/marks.ts';
import type { Suggestion } from './files/suggestions.ts';

export interface ReviewUncertainty {
  readonly id: TrajectoryId;
  /** Its most uncertain step. Only values of one estimator are comparable. */
  readonly uncertainty?: number;
  readonly estimator?: string;
}

export interface ReviewFacts extends ReviewUncertainty {
  readonly ending?: Ending;
  /** The results of its group; absent without a group. */
  readonly group?: { readonly successes: number; readonly trials: number };
  readonly votes: readonly PoolVote[];
}

export interface RankedReview {
  readonly id: TrajectoryId;
  /** From 0 to 4: the sum of its reasons, each from 0 to 1. */
  readonly value: number;
  /** The strongest first. */
  readonly reasons: readonly ReviewReason[];
}

/** Weaker reasons count, but are not shown. */
const SHOWN_FROM = 0.5;

/** Most valuable first. The order of equal ones is kept. `queue`: all trajectories whose uncertainties are compared. */
export function rankReviews(
  some: readonly ReviewFacts[],
  queue: readonly ReviewUncertainty[] = some,
): readonly RankedReview[] {
  const shares = uncertaintyShares(queue);
  return some
    .map(facts => {
      const strengths = strengthsOf(facts, shares.get(facts.id) ?? 0);
      const reasons = REVIEW_REASONS.filter(reason => strengths[reason] >= SHOWN_FROM);
      return {
        id: facts.id,
        value: REVIEW_REASONS.reduce((sum, reason) => sum + strengths[reason], 0),
        reasons: reasons.sort((a, b) => strengths[b] - strengths[a]),
      };
    })
    .sort((a, b) => b.value - a.value);
}

/** The facts of a trajectory for the order by suggestions. */
interface SuggestedReview {
  /** The verdict that counts. */
  readonly isSuccess: boolean;
  readonly suggestion: Suggestion | undefined;
}

/**
 * Most doubtful first: where the model disagrees with the verdict, the surest first; then where it agrees, the least sure first. Those
 * without a suggestion come last. The order of equal ones is kept.
 */
export const rankSuggested = <T extends SuggestedReview>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => doubtOf(b) - doubtOf(a));

/** The probability of a wrong verdict, in the eyes of the model; below 0 without a suggestion. */
function doubtOf({ isSuccess, suggestion }: SuggestedReview): number {
  if (suggestion === undefined) return -1;
  // A guess that disagrees still precedes one that agrees.
  return suggestion.isSuccess === isSuccess ? 1 - suggestion.confidence : 1 + suggestion.confidence;
}

const strengthsOf = (
  { ending, group, votes }: ReviewFacts,
  uncertain: number,
): Readonly<Record<ReviewReason, number>> => ({
  uncertain,
  contested: group === undefined ? 0 : contest(group),
  unclaimed: ending === 'capped' ? 1 : 0,
  disputed: new Set(votes.map(({ isMember }) => isMember)).size > 1 ? 1 : 0,
});

/** 1 if half of the group succeeded, 0 if all results are equal. */
function contest({ successes, trials }: NonNullable<ReviewFacts['group']>): number {
  const rate = trials === 0 ? 0 : successes / trials;
  return 4 * rate * (1 - rate);
}

/** The share of trajectories of the same estimator that are less uncertain. */
function uncertaintyShares(queue: readonly ReviewUncertainty[]): ReadonlyMap<TrajectoryId, number> {
  const known = queue.filter(({ uncertainty }) => uncertainty !== undefined);
  const shares = new Map<TrajectoryId, number>();
  for (const estimator of new Set(known.map(each => each.estimator))) {
    const sorted = known
      .filter(each => each.estimator === estimator)
      .sort((a, b) => (a.uncertainty ?? 0) - (b.uncertainty ?? 0));
    let firstOfEquals = 0;
    for (const [index, { id, uncertainty }] of sorted.entries()) {
      if (uncertainty !== sorted[firstOfEquals]?.uncertainty) firstOfEquals = index;
      shares.set(id, firstOfEquals / sorted.length);
    }
  }
  return shares;
}
