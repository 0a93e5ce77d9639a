// CRAFT-GUI's curriculum: tasks train in stages of growing difficulty, and the next stage opens when the tasks of the last one succeed often
// enough. Difficulty is the expected length times (1 − success rate). Before a training no success rate is known, so it is the step limit. Pure.

import { successRate } from './rules.ts';

/** The success rate of a stage that opens the next one. */
export const ADVANCE_RATE = 0.6;

/** The stage of each task, from 0. Stages have equal numbers of tasks, as far as possible; tasks of equal difficulty keep their order. */
export function stagesOf<T>(
  tasks: readonly T[],
  difficultyOf: (task: T) => number,
  stages: number,
): ReadonlyMap<T, number> {
  const sorted = tasks
    .map(task => ({ task, difficulty: difficultyOf(task) }))
    .sort((one, other) => one.difficulty - other.difficulty);
  return new Map(sorted.map(({ task }, index) => [task, Math.floor((index * stages) / sorted.length)]));
}

/** Whether the mean success rate of the tasks is high enough. A task without a result counts as failed. */
export function isMastered(results: readonly (readonly boolean[])[]): boolean {
  const sum = results.reduce((total, each) => total + (successRate(each) ?? 0), 0);
  return sum >= ADVANCE_RATE * results.length;
}
