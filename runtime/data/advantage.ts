// How much better than its group each step did. Pure arithmetic over returns.

/** Larger than this no advantage is: one quick success among long failures would otherwise outweigh all else. */
const LARGEST = 3;
const EPSILON = 1e-6;

/**
 * A = (R − mean) / (deviation + 1e-6) over all *steps* of a group, of which each has its trajectory's return, so long
 * trajectories weigh more. Given and returned trajectory by trajectory.
 */
export function advantages(
  trajectories: readonly { readonly reward: number; readonly steps: number }[],
): readonly number[] {
  const count = trajectories.reduce((sum, { steps }) => sum + steps, 0);
  if (count === 0) return trajectories.map(() => 0);
  const mean = trajectories.reduce((sum, { reward, steps }) => sum + reward * steps, 0) / count;
  const variance =
    trajectories.reduce((sum, { reward, steps }) => sum + steps * (reward - mean) ** 2, 0) / count;
  const deviation = Math.sqrt(variance);
  return trajectories.map(({ reward }) => {
    const advantage = (reward - mean) / (deviation + EPSILON);
    return Math.max(-LARGEST, Math.min(LARGEST, advantage));
  });
}

/** A group whose rewards are all equal says nothing about what was better. */
export const carriesGradient = (rewards: readonly number[]): boolean =>
  rewards.some(reward => reward !== rewards[0]);
