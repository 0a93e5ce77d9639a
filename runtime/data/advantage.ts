// Group-relative advantages of steps. Pure arithmetic over returns.

/** Bound on the absolute advantage. Without it one short success among long failures would dominate the update. */
const LARGEST = 3;
const EPSILON = 1e-6;

/**
 * A = (R − mean) / (deviation + 1e-6) over all *steps* of a group. Each step has the return of its trajectory, so long
 * trajectories weigh more. The result has one advantage per trajectory.
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

/** False if all rewards are equal: every advantage is 0 then. */
export const carriesGradient = (rewards: readonly number[]): boolean =>
  rewards.some(reward => reward !== rewards[0]);
