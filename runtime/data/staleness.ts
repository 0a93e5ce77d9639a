// The staleness bound: how far rollouts may run ahead of the weights. Rollouts and updates never wait for one another individually,
// but training data must not be older than a number of versions. Pure functions over the caller's counters.

import type { Version } from '../core/ids.ts';

export interface StalenessBound {
  /** Maximum difference between the version that chose a step and the version that it trains. */
  readonly versions: number;
  /** Trajectories per update. */
  readonly perUpdate: number;
}

export interface AdmissionState {
  /** The newest published version. */
  readonly version: Version;
  /** Trajectories that train. Filtered, dropped and failed ones do not count. */
  readonly accepted: number;
  readonly running: number;
}

/** The number of trajectories that may start now; 0 while the trainer has to catch up. */
export const admissionRoom = (
  { versions, perUpdate }: StalenessBound,
  { version, accepted, running }: AdmissionState,
): number => Math.max(0, (versions + version + 1) * perUpdate - (accepted + running));

/** Versions between the oldest step of a trajectory and now; 0 if no policy of the run chose its steps. */
export const stalenessOf = (oldest: Version | undefined, version: Version): number =>
  oldest === undefined ? 0 : Math.max(0, version - oldest);

/** A group-relative advantage needs two rollouts. */
const MIN_GROUP_SIZE = 2;

/**
 * Rollouts of a group within the staleness bound, and the number beyond it. A single remaining rollout cannot train; it is returned as
 * `alone` and does not count as dropped.
 */
export function freshRollouts<T>(
  group: readonly T[],
  stalenessOf: (one: T) => number,
  { versions }: Pick<StalenessBound, 'versions'>,
): { readonly fresh: readonly T[]; readonly dropped: number; readonly alone: number } {
  const fresh = group.filter(one => stalenessOf(one) <= versions);
  const dropped = group.length - fresh.length;
  return fresh.length < MIN_GROUP_SIZE
    ? { fresh: [], dropped, alone: fresh.length }
    : { fresh, dropped, alone: 0 };
}
