// The staleness bound: how far rollouts may run ahead of the weights. Rollouts and updates never wait for one another individually,
// but training data must not be older than a number of optimiser steps. Pure functions over the caller's counters.

import type { Version } from '../core/ids.ts';

export interface UntrainedCounts {
  /** Accepted trajectories in batches that the trainer has not finished. Filtered, dropped and failed ones do not count. */
  readonly untrained: number;
  readonly running: number;
}

/** The number of trajectories that may start now; 0 while the trainer has to catch up. */
export const admissionRoom = (trajectoriesAhead: number, { untrained, running }: UntrainedCounts): number =>
  Math.max(0, trajectoriesAhead - (untrained + running));

/** Optimiser steps between the oldest weights of a trajectory and now; 0 if no policy of the run chose its steps. */
export const stalenessOf = (oldest: Version | undefined, version: Version): number =>
  oldest === undefined ? 0 : Math.max(0, version - oldest);
