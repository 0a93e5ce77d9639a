// What the time of a trial was spent on, and the measures of method.md §1 as ratios of sums. Pure.

import { DESKTOP_USES, type DesktopTime } from '../../environments/pool.ts';
import type { WorkerAccount } from '../../rollout/worker-slot.ts';

/** Sums of a trial up to a moment, or between two of them. Milliseconds, summed over all desktops and all workers. */
export interface Spent {
  readonly time: number;
  readonly desktops: DesktopTime;
  readonly workers: WorkerAccount;
  /** Inside training calls, and allocated: in workers' worth of hardware. */
  readonly training: number;
  readonly trainers: number;
  readonly updates: number;
  /** Steps of trained batches. */
  readonly trained: number;
  /** Steps and trajectories that were rolled out. */
  readonly generated: number;
  readonly trajectories: number;
  /** Trajectories that were too old to train, or whose group was, without them, worth nothing. */
  readonly lost: number;
}

/** `sign` times the second added to the first, number by number. */
const combined = (one: Spent, other: Spent, sign: 1 | -1): Spent => {
  const each = <T extends Readonly<Record<string, number>>>(a: T, b: T): T =>
    Object.fromEntries(Object.entries(a).map(([name, value]) => [name, value + sign * (b[name] ?? 0)])) as T;
  const { desktops, workers, ...numbers } = one;
  const { desktops: otherDesktops, workers: otherWorkers, ...otherNumbers } = other;
  return {
    ...each(numbers, otherNumbers),
    desktops: each(desktops, otherDesktops),
    workers: each(workers, otherWorkers),
  };
};

export const between = (before: Spent, after: Spent): Spent => combined(after, before, -1);

export const together = (all: readonly Spent[]): Spent => {
  const [first, ...others] = all;
  if (first === undefined) throw new RangeError('There is nothing to add up: run at least one trial.');
  return others.reduce((sum, each) => combined(sum, each, 1), first);
};

export interface Measures {
  /** Inside inference or training calls, of the time that workers and trainer were allocated. */
  readonly utilisation: number;
  readonly deciding: number;
  readonly loading: number;
  readonly training: number;
  /** Desktops that hold a live episode; `stepping` counts only reset, act and judge. */
  readonly occupancy: number;
  readonly stepping: number;
  /** Actions a minute. */
  readonly trained: number;
  readonly generated: number;
  /** Share of the trajectories. */
  readonly lost: number;
}

export function measuresOf(spent: Spent): Measures {
  const { desktops, workers, time } = spent;
  const desktopTime = DESKTOP_USES.reduce((sum, use) => sum + desktops[use], 0);
  const workerTime = workers.deciding + workers.loading + workers.idle + workers.dead;
  const minutes = time / 60_000;
  return {
    utilisation: (workers.deciding + spent.training) / (workerTime + spent.trainers),
    deciding: workers.deciding / workerTime,
    loading: workers.loading / workerTime,
    training: spent.training / spent.trainers,
    occupancy: (desktops.stepping + desktops.waiting) / desktopTime,
    stepping: desktops.stepping / desktopTime,
    trained: spent.trained / minutes,
    generated: spent.generated / minutes,
    lost: spent.trajectories === 0 ? 0 : spent.lost / spent.trajectories,
  };
}

/** Of what a better schedule could gain in occupancy: no desktop can hold an episode for more than all of its time. */
export const shareOfPossible = (baseline: number, occupancy: number): number => {
  const possible = 1 / baseline;
  return occupancy / baseline / possible;
};
