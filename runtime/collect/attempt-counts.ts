// Counts the attempts of a collection, per task. Pure.

import type { TaskId } from '../core/ids.ts';

export interface AttemptCounts {
  readonly tried: number;
  readonly succeeded: number;
  /** Stored on disk. */
  readonly kept: number;
  /** The infrastructure failed: these do not count as tried. */
  readonly broken: number;
}

export type CountsByTask = ReadonlyMap<TaskId, AttemptCounts>;

const NONE: AttemptCounts = { tried: 0, succeeded: 0, kept: 0, broken: 0 };

export const addAttempt = (all: CountsByTask, task: TaskId, attempt: Partial<AttemptCounts>): CountsByTask =>
  new Map([...all, [task, plus(all.get(task) ?? NONE, attempt)]]);

export const total = (all: CountsByTask): AttemptCounts => [...all.values()].reduce(plus, NONE);

function plus(one: AttemptCounts, other: Partial<AttemptCounts>): AttemptCounts {
  const sum = (name: keyof AttemptCounts): number => one[name] + (other[name] ?? 0);
  return { tried: sum('tried'), succeeded: sum('succeeded'), kept: sum('kept'), broken: sum('broken') };
}
