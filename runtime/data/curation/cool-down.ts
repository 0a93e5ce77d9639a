// MobileRL's failure curriculum: a task whose rollouts all failed for two epochs cools down for three, and is then removed. An epoch is a
// round in which the task was played. Pure.

/** Failed epochs in a row that begin the cool-down. */
export const FAILED_EPOCHS = 2;
/** Rounds of the cool-down. */
export const COOL_DOWN_ROUNDS = 3;

/** The share of its visits that a task keeps after so many failed epochs in a row: exp(−f) in the cool-down, 0 after it. */
export function samplingWeight(failedEpochs: number, roundsSince: number): number {
  if (failedEpochs < FAILED_EPOCHS) return 1;
  return roundsSince > COOL_DOWN_ROUNDS ? 0 : Math.exp(-failedEpochs);
}

/** The failed epochs of a task, from its failures in a row and the rollouts of a group. */
export const failedEpochsOf = (failures: number, rollouts: number): number => Math.floor(failures / rollouts);
