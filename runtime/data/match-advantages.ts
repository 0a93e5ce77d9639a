// Advantages for rollouts over stored trajectories, whose actions are compared with the expert's. UI-S1: each step is compared with all steps
// of the group, and its return with those of the same expert step. Mobile-R1 and CRAFT-GUI: each step is compared with those of the same expert
// step. Pure.

import { at } from '../core/at.ts';
import type { ExpertMatch } from '../core/expert-match.ts';
import { advantagesIn, boundedAdvantage, carriesGradient, spreadOf } from './group-comparison.ts';
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
  const ofEpisode = advantagesIn(each.flatMap(({ places }) => places.map(matchReward)));
  const returns = each.map(({ places }) => matchReturns(places));
  const ofReturns = comparedAtSteps(each, returns);
  return each.map(({ places, ofSteps }, rollout) =>
    ofSteps.map(place =>
      boundedAdvantage(ofEpisode(matchReward(at(places, place))) + at(at(ofReturns, rollout), place)),
    ),
  );
}

/** Mobile-R1: R = R_act + R_fmt. 1 for the action of the expert, and 1 for a reply that has an action. */
export const actionReward = ({ score }: ExpertMatch): number => Number(score === 1) + Number(score > 0);

/** CRAFT-GUI: a part of the reward for an action that can be read, one for its kind, and one for the rest of it. */
export const partsReward = ({ score }: ExpertMatch): number =>
  FORMAT_PART * Number(score > 0) + KIND_PART * Number(score >= 0.5) + REST_PART * Number(score === 1);

const FORMAT_PART = 0.1;
const KIND_PART = 0.3;
const REST_PART = 0.4;

type ActionReward = (match: ExpertMatch) => number;

/** The advantage of its reward among the steps at the same expert step: each step is a prompt of its own. */
export function actionAdvantages(
  rollouts: readonly MatchedRollout[],
  rewardOf: ActionReward,
): readonly (readonly number[])[] {
  const each = rollouts.map(placesOf);
  const compared = comparedAtSteps(each, rewardsOf(each, rewardOf));
  return each.map(({ ofSteps }, rollout) => ofSteps.map(place => at(at(compared, rollout), place)));
}

/** A group trains if the rewards differ at one step of the expert at least. */
export function differsInActions(rollouts: readonly MatchedRollout[], rewardOf: ActionReward): boolean {
  const each = rollouts.map(placesOf);
  return [...valuesAtSteps(each, rewardsOf(each, rewardOf)).values()].some(carriesGradient);
}

const rewardsOf = (rollouts: readonly MatchedPlaces[], rewardOf: ActionReward) =>
  rollouts.map(({ places }) => places.map(rewardOf));

interface MatchedPlaces {
  /** A match for each expert step that the rollout came to. */
  readonly places: readonly ExpertMatch[];
  /** The place of each step. */
  readonly ofSteps: readonly number[];
}

/** The values at each expert step. `values`: of each place of each rollout. */
function valuesAtSteps(
  rollouts: readonly MatchedPlaces[],
  values: readonly (readonly number[])[],
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [rollout, { places }] of rollouts.entries())
    for (const [place, { step }] of places.entries())
      found.set(step, [...(found.get(step) ?? []), at(at(values, rollout), place)]);
  return found;
}

/** The advantage of each value among those of the same expert step. */
function comparedAtSteps(
  rollouts: readonly MatchedPlaces[],
  values: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const ofSteps = valuesAtSteps(rollouts, values);
  const comparisons = new Map([...ofSteps].map(([step, all]) => [step, advantagesIn(all)] as const));
  return rollouts.map(({ places }, rollout) =>
    places.map(({ step }, place) => comparisons.get(step)?.(at(at(values, rollout), place)) ?? 0),
  );
}

/**
 * Steps in a row at the same expert step, such as the parts of a text, count as one with the match of the last: otherwise a text in parts
 * would return more than the same text at once.
 */
function placesOf(rollout: MatchedRollout): MatchedPlaces {
  const matches = matchesOf(rollout);
  const places = matches.filter(({ step }, index) => matches[index + 1]?.step !== step);
  let place = 0;
  const ofSteps = matches.map(({ step }, index) => (matches[index + 1]?.step === step ? place : place++));
  return { places, ofSteps };
}

/** Whether the first returns of a group differ enough for it to train. */
export const differsInMatches = (rollouts: readonly MatchedRollout[]): boolean =>
  spreadOf(rollouts.map(rollout => matchReturns(placesOf(rollout).places)[0] ?? 0)).deviation > MIN_DEVIATION;

/** Demonstrations have no matches: their steps are those of the expert. */
const matchesOf = ({ matches, steps, isSuccess }: MatchedRollout): readonly ExpertMatch[] =>
  matches ?? steps.map((_, step) => ({ step, score: isSuccess ? 1 : 0 }));
