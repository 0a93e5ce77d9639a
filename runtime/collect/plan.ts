// In which order instances are tried when successes are collected: what nobody can do yet comes first. Pure.

import type { Seed, TaskId } from '../core/ids.ts';
import { type Instance, instanceKey } from '../core/task.ts';

export interface Solved {
  /** Of each task the share of its rollouts that succeeded so far; absent where there were none. */
  readonly rates: ReadonlyMap<TaskId, number>;
  /** Members of the success pool. */
  readonly members: readonly Instance[];
}

/**
 * The instances of the tasks, each with the same number of them. Those without a member in the pool come before all others; of these the
 * tasks with the lowest success, and one that was never tried counts as one that never succeeded; of one task the first seeds.
 */
export function hardestFirst(
  tasks: readonly TaskId[],
  seeds: readonly Seed[],
  { rates, members }: Solved,
): readonly Instance[] {
  const known = new Set(members.map(instanceKey));
  return tasks
    .flatMap(task => seeds.map(seed => ({ task, seed })))
    .map(instance => ({
      instance,
      isKnown: known.has(instanceKey(instance)),
      rate: rates.get(instance.task) ?? 0,
    }))
    .sort((a, b) => Number(a.isKnown) - Number(b.isKnown) || a.rate - b.rate)
    .map(({ instance }) => instance);
}
