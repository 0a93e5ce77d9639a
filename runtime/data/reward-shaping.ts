// Changes of rewards: MobileRL's shortest-path reward, DAPO's penalty of overlong rollouts, and Mobile-R1's reward for replies that can be
// read. Only advantages see them; success rates and the filter of groups use the reward of the evaluator. Pure.

import type { TrainingRollout } from './rollouts.ts';

export interface RewardShaping {
  /** α of MobileRL: the share of the reward that a success loses as its length grows; 0 turns it off. */
  readonly shortestPath: number;
  /** The last share of the step limit, in which the penalty rises from 0 to 1; 0 turns it off. */
  readonly overlong: number;
  /** The weight of the share of replies that could be read. */
  readonly format: number;
}

export const NO_SHAPING: RewardShaping = { shortestPath: 0, overlong: 0, format: 0 };

/** Lengths that a reward is compared with, in actions. */
interface KnownLengths {
  /** The shortest success of the instance. */
  readonly shortest: number;
  /** The step limit of the rollouts. */
  readonly limit: number;
}

/** R·(1 − α·(T − T_min)/T) for a success of T actions. */
export const shortestPathReward = (reward: number, length: number, shortest: number, alpha: number): number =>
  reward * (1 - (alpha * Math.max(0, length - shortest)) / length);

/** From 0 at the start of the last share of the limit to −1 at the limit. */
export function overlongPenalty(length: number, limit: number, share: number): number {
  if (share === 0 || !Number.isFinite(limit)) return 0;
  const room = share * limit;
  return Math.max(-1, Math.min(0, (limit - room - length) / room));
}

type ShapedRollout = Pick<TrainingRollout, 'reward' | 'isSuccess' | 'actions' | 'readable'>;

export const shapedReward = (rollout: ShapedRollout, known: KnownLengths, shaping: RewardShaping): number =>
  rewardByLength(rollout, known, shaping) + shaping.format * (rollout.readable ?? 1);

/** A part of a trajectory keeps its reward: its length says nothing. */
const rewardByLength = (
  { reward, isSuccess, actions }: ShapedRollout,
  { shortest, limit }: KnownLengths,
  { shortestPath, overlong }: RewardShaping,
): number =>
  actions === undefined
    ? reward
    : (isSuccess ? shortestPathReward(reward, actions, shortest, shortestPath) : reward) +
      overlongPenalty(actions, limit, overlong);
