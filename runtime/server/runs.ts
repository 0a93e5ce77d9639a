// What a daemon can do with runs. The command line and the server of panels and pages ask for nothing else; the ring stands
// behind it.

import type { Collections } from '../collect/collections.ts';
import type { Config } from '../config/config.ts';
import type { RunId, TrajectoryId } from '../core/ids.ts';
import type { RunState, RunSummary } from '../protocol/daemon/state.ts';
import type { Desktops } from './desktops/desktops.ts';
import type { Trajectories } from './trajectories/trajectories.ts';

export interface StartOptions {
  /** A file of a checkpoint, or the name of a run, to begin with in place of random weights. */
  readonly from?: string;
}

export interface Runs {
  list(): Promise<readonly RunSummary[]>;
  /** Begins a run of its own; resolves once its modules are up. */
  start(config: Config, options?: StartOptions): Promise<RunId>;
  /** Goes on where a run was stopped or broke off; for so many seconds in all, where that is given. */
  resume(run: RunId, seconds?: number): Promise<void>;
  /** No new rollouts until it is continued; what is under way is finished and trained. */
  pause(run: RunId): Promise<void>;
  continue(run: RunId): Promise<void>;
  /** Ends it with a checkpoint, from which it can be resumed. */
  stop(run: RunId): Promise<void>;
  /** With everything on disk. Refused while it runs, and without `withPool` where some of its trajectories are in the success pool. */
  delete(run: RunId, options: { readonly withPool: boolean }): Promise<void>;
  /** Undefined where there is no such run. */
  state(run: RunId): RunState | undefined;
  /** Told of every change, at most a few times a second; the function that is returned ends it. */
  watch(listener: (state: RunState) => void): () => void;
  /** A verdict given by hand, in place of the evaluator's. */
  judge(run: RunId, trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void>;
  /** Into the success pool, and to what trains now. Refused where it did not succeed, or is of an evaluation. */
  accept(trajectory: TrajectoryId, who: string): Promise<void>;
  /** Out of it, or never into it. */
  reject(trajectory: TrajectoryId, who: string): Promise<void>;
  /** After something else was said of a trajectory: if it is a member, what trains now hears of it. */
  poolChanged(trajectory: TrajectoryId): Promise<void>;
  /** What they brought about, and what is said of it. */
  readonly trajectories: Trajectories;
  /** More of them, played ahead of training or beside it. */
  readonly collections: Collections;
  /** Those of the run that trains, and which can be had. */
  readonly desktops: Desktops;
}
