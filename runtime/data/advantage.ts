// The kinds of advantages, and those of them that compare the rollouts of a group. Pure arithmetic over returns.

import { advantagesIn } from './group-comparison.ts';
import { actionAdvantages, actionReward, matchAdvantages, partsReward } from './match-advantages.ts';
import { effectiveSteps } from './pool/effective-steps.ts';
import type { TrainingRollout } from './rollouts.ts';

/**
 * Compared with the group of a rollout. steps: DART. Mean and deviation are over the steps of the group, each with the reward of its rollout.
 * rollouts: GRPO. They are over the rollouts, so long ones count no more than short ones. contributions: ComputerRL. They are over the steps,
 * and the reward of a step is 1 if it changed the screen in a successful rollout, otherwise 0. matches: UI-S1. The reward of a step says how
 * well it matches the expert's (match-advantages.ts). actions: Mobile-R1. Each step is compared with those of the group at the same step of
 * the expert. parts: CRAFT-GUI. The same with a reward for each part of an action. successes: filtered imitation, a control. 1 for each step
 * of a success; failures do not train.
 */
const GROUP_ADVANTAGES = [
  'steps',
  'rollouts',
  'contributions',
  'matches',
  'actions',
  'parts',
  'successes',
] as const;
type GroupAdvantageKind = (typeof GROUP_ADVANTAGES)[number];

/**
 * Compared with the values of learned critics (critics/critics.ts). filtered: DigiRL. 1 for the steps of the best rollouts that raise the
 * value, otherwise 0. values: UI-TARS-2. Generalised advantage estimation.
 */
const CRITIC_ADVANTAGES = ['filtered', 'values'] as const;
export type CriticAdvantageKind = (typeof CRITIC_ADVANTAGES)[number];

export const ADVANTAGES = [...GROUP_ADVANTAGES, ...CRITIC_ADVANTAGES] as const;
export type AdvantageKind = GroupAdvantageKind | CriticAdvantageKind;

/** Kinds whose steps have the reward of their rollout. */
export const usesRolloutRewards = (kind: AdvantageKind): boolean => kind === 'steps' || kind === 'rollouts';

/** Kinds that need the actions of an expert, which only stored trajectories have. */
export const needsExpert = (kind: AdvantageKind): boolean =>
  kind === 'matches' || kind === 'actions' || kind === 'parts';

export const needsCritics = (kind: AdvantageKind): kind is CriticAdvantageKind =>
  CRITIC_ADVANTAGES.some(each => each === kind);

type CreditedRollout = Pick<TrainingRollout, 'reward' | 'isSuccess' | 'steps' | 'matches'>;

/** The advantages of the steps of each rollout. */
export function stepAdvantages(
  rollouts: readonly CreditedRollout[],
  kind: GroupAdvantageKind,
): readonly (readonly number[])[] {
  if (kind === 'matches') return matchAdvantages(rollouts);
  if (kind === 'actions') return actionAdvantages(rollouts, actionReward);
  if (kind === 'parts') return actionAdvantages(rollouts, partsReward);
  if (kind === 'successes') return rollouts.map(({ isSuccess, steps }) => steps.map(() => Number(isSuccess)));
  if (kind === 'contributions') {
    const rewards = rollouts.map(contributionsOf);
    const ofAll = advantagesIn(rewards.flat());
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
