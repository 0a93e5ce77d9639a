// The orders of the review queue by what a person's decision teaches most, and the reasons; and by what a model suggests. Pure.

import type { TrajectoryId } from '../core/ids.ts';
import type { Ending } from '../core/verdict.ts';
import { REVIEW_REASONS, type ReviewReason } from '../protocol/daemon/annotation.ts';
import type { PoolVote } from './files/marks.ts';
import type { Suggestion } from './files/suggestions.ts';

export interface ReviewFacts {
  readonly id: TrajectoryId;
  /** Its most uncertain step. Only values of one estimator are comparable. */
  readonly uncertainty?: number;
  readonly estimator?: string;
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

/** Most valuable first. The order of equal ones is kept. */
export function rankReviews(all: readonly ReviewFacts[]): readonly RankedReview[] {
  const shares = uncertaintyShares(all);
  return all
    .map(facts => {
      const strengths = strengthsOf(facts, shares.get(facts) ?? 0);
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
function uncertaintyShares(all: readonly ReviewFacts[]): ReadonlyMap<ReviewFacts, number> {
  const byEstimator = new Map<string | undefined, ReviewFacts[]>();
  for (const facts of all)
    if (facts.uncertainty !== undefined)
      byEstimator.set(facts.estimator, [...(byEstimator.get(facts.estimator) ?? []), facts]);
  const shares = new Map<ReviewFacts, number>();
  for (const some of byEstimator.values()) {
    const sorted = some.map(({ uncertainty = 0 }) => uncertainty).sort((a, b) => a - b);
    for (const facts of some)
      shares.set(facts, sorted.findIndex(each => each >= (facts.uncertainty ?? 0)) / sorted.length);
  }
  return shares;
}
