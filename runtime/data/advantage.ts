// The kinds of advantages, and those of them that compare the rollouts of a group. Pure arithmetic over returns.

import { at } from '../core/at.ts';
import { sum } from '../core/sum.ts';
import { effectiveSteps } from './pool/effective-steps.ts';
import type { TrainingRollout } from './rollouts.ts';

/** Bound on the absolute advantage. Without it one short success among long failures would dominate the update. */
const LARGEST = 3;
const EPSILON = 1e-6;

/**
 * Compared with the group of a rollout. steps: DART. Mean and deviation are over the steps of the group, each with the reward of its rollout.
 * rollouts: GRPO. They are over the rollouts, so long ones count no more than short ones. contributions: ComputerRL. They are over the steps,
 * and the reward of a step is 1 if it changed the screen in a successful rollout, otherwise 0.
 */
const GROUP_ADVANTAGES = ['steps', 'rollouts', 'contributions'] as const;
type GroupAdvantageKind = (typeof GROUP_ADVANTAGES)[number];

/**
 * Compared with the values of learned critics (critics/critics.ts). filtered: DigiRL. 1 for the steps of the best rollouts that raise the
 * value, otherwise 0. values: UI-TARS-2. Generalised advantage estimation.
 */
const CRITIC_ADVANTAGES = ['filtered', 'values'] as const;
export type CriticAdvantageKind = (typeof CRITIC_ADVANTAGES)[number];

export const ADVANTAGES = [...GROUP_ADVANTAGES, ...CRITIC_ADVANTAGES] as const;
export type AdvantageKind = GroupAdvantageKind | CriticAdvantageKind;

export const needsCritics = (kind: AdvantageKind): kind is CriticAdvantageKind =>
  CRITIC_ADVANTAGES.some(each => each === kind);

type CreditedRollout = Pick<TrainingRollout, 'reward' | 'isSuccess' | 'steps'>;

/** The advantages of the steps of each rollout. */
export function stepAdvantages(
  rollouts: readonly CreditedRollout[],
  kind: GroupAdvantageKind,
): readonly (readonly number[])[] {
  if (kind === 'contributions') {
    const rewards = rollouts.map(contributionsOf);
    const ofAll = advantagesIn(
      rewards.flat(),
      rewards.flat().map(() => 1),
    );
    return rewards.map(each => each.map(ofAll));
  }
  const advantageOf = advantagesIn(
    rollouts.map(({ reward }) => reward),
    rollouts.map(({ steps }) => (kind === 'steps' ? steps.length : 1)),
  );
  return rollouts.map(({ reward, steps }) => steps.map(() => advantageOf(reward)));
}

function contributionsOf({ isSuccess, steps }: CreditedRollout): readonly number[] {
  const effective = new Set(effectiveSteps(steps));
  return steps.map(step => Number(isSuccess && effective.has(step)));
}

/** A = (R − mean) / (deviation + 1e-6), bounded. The weights are those of the mean and of the deviation. */
function advantagesIn(values: readonly number[], weights: readonly number[]): (reward: number) => number {
  const count = sum(weights);
  const mean = sum(values.map((value, index) => value * at(weights, index))) / count;
  const variance = sum(values.map((value, index) => at(weights, index) * (value - mean) ** 2)) / count;
  const deviation = Math.sqrt(variance);
  return reward => {
    const advantage = (reward - mean) / (deviation + EPSILON);
    return Math.max(-LARGEST, Math.min(LARGEST, advantage));
  };
}

/** False if all rewards are equal: every advantage is 0 then. */
export const carriesGradient = (rewards: readonly number[]): boolean =>
  rewards.some(reward => reward !== rewards[0]);
