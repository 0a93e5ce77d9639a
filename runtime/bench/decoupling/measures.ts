// How a trial spent its time, and the measures of the benchmark as ratios of sums. Pure.

import { DESKTOP_USES, type DesktopTime } from '../../environments/pool.ts';
import type { WorkerAccount } from '../../rollout/worker-slot.ts';

/** Sums up to a moment of a trial, or between two. Times are milliseconds, summed over all desktops and all workers. */
export interface Spent {
  readonly time: number;
  readonly desktops: DesktopTime;
  readonly workers: WorkerAccount;
  /** In training calls and allocated to the trainer, in units of one worker's hardware. */
  readonly training: number;
  readonly trainers: number;
  readonly updates: number;
  /** Environment steps of trained batches. */
  readonly trained: number;
  /** Environment steps and trajectories of all rollouts. */
  readonly generated: number;
  readonly trajectories: number;
  /** Trajectories too stale to train, or whose group had no gradient without them. */
  readonly lost: number;
}

type Numbers = Readonly<Record<string, number>>;

const add = <T extends Numbers>(one: T, other: T, sign: 1 | -1): T => {
  const sum: Record<string, number> = { ...one };
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + sign * value;
  // Both have the keys of T.
  return sum as T;
};

function combined(one: Spent, other: Spent, sign: 1 | -1): Spent {
  const { desktops, workers, ...numbers } = one;
  const { desktops: otherDesktops, workers: otherWorkers, ...otherNumbers } = other;
  return {
    ...add(numbers, otherNumbers, sign),
    desktops: add(desktops, otherDesktops, sign),
    workers: add(workers, otherWorkers, sign),
  };
}

export const spentBetween = (before: Spent, after: Spent): Spent => combined(after, before, -1);

export const sumOf = (all: readonly Spent[]): Spent => all.reduce((sum, each) => combined(sum, each, 1));

export interface Measures {
  /** Share of the time of workers and trainer in inference or training calls. */
  readonly utilisation: number;
  readonly deciding: number;
  readonly loading: number;
  readonly training: number;
  /** Share of the time of desktops in an episode; `stepping` counts reset, act and judge only. */
  readonly occupancy: number;
  readonly stepping: number;
  /** Actions per minute. */
  readonly trained: number;
  readonly generated: number;
  /** Share of the trajectories. */
  readonly lost: number;
}

export function measuresOf({ desktops, workers, time, ...spent }: Spent): Measures {
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
