// How far rollouts may run ahead of the weights. They never wait for a particular update, nor an update for a particular rollout,
// but what is trained on must not be older than some versions. Pure: counters come from whoever keeps them.

import type { Version } from '../core/ids.ts';

export interface Bound {
  /** So many versions may lie between the weights that chose a step and those that it trains. */
  readonly versions: number;
  /** Trajectories of an update. */
  readonly perUpdate: number;
}

export interface Pace {
  /** The newest published version. */
  readonly version: Version;
  /** Trajectories that train: filtered, dropped and failed ones have released their place. */
  readonly accepted: number;
  readonly running: number;
}

/** How many more trajectories may be started now; 0 while the trainer has to catch up. */
export const room = ({ versions, perUpdate }: Bound, { version, accepted, running }: Pace): number =>
  Math.max(0, (versions + version + 1) * perUpdate - (accepted + running));

/** How many versions a trajectory is behind whose oldest step these weights chose; 0 for one that no weights of ours chose. */
export const behind = (oldest: Version | undefined, version: Version): number =>
  oldest === undefined ? 0 : Math.max(0, version - oldest);

/** A comparison needs two. */
const LEAST = 2;

/**
 * What of a group is fresh enough to train, and how many trajectories are dropped because of their age. Where fewer than two are
 * left, the others are worth nothing by themselves and are given up as well, but are not counted as dropped.
 */
export function freshOf<T>(
  group: readonly T[],
  stalenessOf: (one: T) => number,
  { versions }: Pick<Bound, 'versions'>,
): { readonly fresh: readonly T[]; readonly dropped: number; readonly alone: number } {
  const fresh = group.filter(one => stalenessOf(one) <= versions);
  const dropped = group.length - fresh.length;
  return fresh.length < LEAST ? { fresh: [], dropped, alone: fresh.length } : { fresh, dropped, alone: 0 };
}
