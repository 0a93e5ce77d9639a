// UI-S1's advantages for rollouts over stored trajectories: each step is compared with all steps of the group, and its return with those of
// the same expert step. Pure arithmetic.

import { at } from '../core/at.ts';
import type { ExpertMatch } from '../core/expert-match.ts';
import { advantagesIn, boundedAdvantage, spreadOf } from './group-comparison.ts';
import type { TrainingRollout } from './rollouts.ts';

type MatchedRollout = Pick<TrainingRollout, 'isSuccess' | 'steps' | 'matches'>;

/** γ: the share of the next return that a matching step adds to its reward. */
const DISCOUNT = 0.5;
/** Groups whose first returns deviate less do not train. */
const MIN_DEVIATION = 0.3;

/** 0.1 for a readable reply, and 0.9 times the match. */
export const matchReward = ({ score }: ExpertMatch): number => (score === 0 ? 0 : 0.1 + 0.9 * score);

/** R = r + γ·R′ for a step that matches, and r for one that does not: what follows it is due to the expert. */
export function matchReturns(matches: readonly ExpertMatch[]): readonly number[] {
  let following = 0;
  return matches
    .toReversed()
    .map(match => {
      const isMatch = match.score === 1;
      const value = matchReward(match) + (isMatch ? DISCOUNT * following : 0);
      following = isMatch ? value : 0;
      return value;
    })
    .toReversed();
}

/** The sum of the advantage of its reward among all steps, and of its return among those of the same expert step. */
export function matchAdvantages(rollouts: readonly MatchedRollout[]): readonly (readonly number[])[] {
  const each = rollouts.map(placesOf);
  const all = each.flatMap(({ places }) => places);
  const ofEpisode = advantagesIn(all.map(({ reward }) => reward));
  const returnsAt = new Map<number, number[]>();
  for (const place of all) returnsAt.set(place.step, [...(returnsAt.get(place.step) ?? []), place.value]);
  const ofPlace = new Map([...returnsAt].map(([step, returns]) => [step, advantagesIn(returns)] as const));
  return each.map(({ places, ofSteps }) =>
    ofSteps.map(index => {
      const { step, reward, value } = at(places, index);
      return boundedAdvantage(ofEpisode(reward) + (ofPlace.get(step)?.(value) ?? 0));
    }),
  );
}

/**
 * Steps in a row at the same expert step, such as the parts of a text, count as one with the match of the last: otherwise a text in parts
 * would return more than the same text at once. `ofSteps` has the place of each step.
 */
function placesOf(rollout: MatchedRollout) {
  const matches = matchesOf(rollout);
  const lasts = matches.filter(({ step }, index) => matches[index + 1]?.step !== step);
  const returns = matchReturns(lasts);
  const places = lasts.map((match, index) => ({
    step: match.step,
    reward: matchReward(match),
    value: at(returns, index),
  }));
  let place = 0;
  const ofSteps = matches.map(({ step }, index) => (matches[index + 1]?.step === step ? place : place++));
  return { places, ofSteps };
}

/** Whether the first returns of a group differ enough for it to train. */
export const differsInMatches = (rollouts: readonly MatchedRollout[]): boolean =>
  spreadOf(rollouts.map(rollout => placesOf(rollout).places[0]?.value ?? 0)).deviation > MIN_DEVIATION;

/** Demonstrations have no matches: their steps are those of the expert. */
const matchesOf = ({ matches, steps, isSuccess }: MatchedRollout): readonly ExpertMatch[] =>
  matches ?? steps.map((_, step) => ({ step, score: isSuccess ? 1 : 0 }));
