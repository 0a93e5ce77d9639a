// Group-relative advantages of steps. Pure arithmetic over returns.

import { sum } from '../core/sum.ts';
import type { TrainingRollout } from './rollouts.ts';

/** Bound on the absolute advantage. Without it one short success among long failures would dominate the update. */
const LARGEST = 3;
const EPSILON = 1e-6;

/**
 * A = (R − mean) / (deviation + 1e-6) over all *steps* of a group. Each step has the return of its trajectory, so long
 * trajectories weigh more.
 */
export function withAdvantages<R extends Pick<TrainingRollout, 'reward' | 'steps'>>(
  rollouts: readonly R[],
): readonly { readonly rollout: R; readonly advantage: number }[] {
  const count = sum(rollouts.map(({ steps }) => steps.length));
  const mean = sum(rollouts.map(({ reward, steps }) => reward * steps.length)) / count;
  const variance = sum(rollouts.map(({ reward, steps }) => steps.length * (reward - mean) ** 2)) / count;
  const deviation = Math.sqrt(variance);
  return rollouts.map(rollout => {
    const advantage = (rollout.reward - mean) / (deviation + EPSILON);
    return { rollout, advantage: Math.max(-LARGEST, Math.min(LARGEST, advantage)) };
  });
}

/** False if all rewards are equal: every advantage is 0 then. */
export const carriesGradient = (rewards: readonly number[]): boolean =>
  rewards.some(reward => reward !== rewards[0]);
