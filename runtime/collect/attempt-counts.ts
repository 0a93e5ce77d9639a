// Counts the attempts of a collection, task by task. Pure.

import type { TaskId } from '../core/ids.ts';

export interface Tries {
  readonly tried: number;
  readonly succeeded: number;
  /** On disk now. */
  readonly kept: number;
  /** The infrastructure failed: these were not tried. */
  readonly broken: number;
}

export type ByTask = ReadonlyMap<TaskId, Tries>;

const NONE: Tries = { tried: 0, succeeded: 0, kept: 0, broken: 0 };

export const noted = (all: ByTask, task: TaskId, came: Partial<Tries>): ByTask =>
  new Map([...all, [task, plus(all.get(task) ?? NONE, came)]]);

export const total = (all: ByTask): Tries => [...all.values()].reduce(plus, NONE);

function plus(one: Tries, other: Partial<Tries>): Tries {
  const sum = (name: keyof Tries): number => one[name] + (other[name] ?? 0);
  return { tried: sum('tried'), succeeded: sum('succeeded'), kept: sum('kept'), broken: sum('broken') };
}
