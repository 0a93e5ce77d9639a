// Orders the instances of a collection: unsolved ones first, or for an evaluation all tasks in turn. Pure.

import type { Seed, TaskId } from '../core/ids.ts';
import { type Instance, instanceKey } from '../core/task.ts';

export interface SolvedInstances {
  /** The success rate per task; absent without rollouts. */
  readonly rates: ReadonlyMap<TaskId, number>;
  /** Members of the success pool. */
  readonly members: readonly Instance[];
}

/** Instances without a member of the pool first, then by the success rate of the task (0 for a task without rollouts), then by seed. */
export function hardestFirst(
  tasks: readonly TaskId[],
  seeds: readonly Seed[],
  { rates, members }: SolvedInstances,
): readonly Instance[] {
  const solved = new Set(members.map(instanceKey));
  return tasks
    .flatMap(task => seeds.map(seed => ({ task, seed })))
    .map(instance => ({
      instance,
      isSolved: solved.has(instanceKey(instance)),
      rate: rates.get(instance.task) ?? 0,
    }))
    .sort(
      (a, b) =>
        Number(a.isSolved) - Number(b.isSolved) || a.rate - b.rate || a.instance.seed - b.instance.seed,
    )
    .map(({ instance }) => instance);
}

/** The first instance of every task, then the second one: an evaluation that is stopped early has tried all tasks equally often. */
export const roundRobin = (tasks: readonly TaskId[], seeds: readonly Seed[]): readonly Instance[] =>
  seeds.flatMap(seed => tasks.map(task => ({ task, seed })));
