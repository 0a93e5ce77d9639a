// The operations of a daemon on runs: the interface of the command line, the panels and the pages.

import type { Collections } from '../collect/collections.ts';
import type { Config } from '../config/config.ts';
import type { RunId, TrajectoryId } from '../core/ids.ts';
import type { RunState, RunSummary } from '../protocol/daemon/state.ts';
import type { Desktops } from './desktops/desktops.ts';
import type { Trajectories } from './trajectories/trajectories.ts';

export interface StartOptions {
  /** A checkpoint file or the name of a run, whose weights replace random ones. */
  readonly from?: string;
}

export interface Runs {
  list(): Promise<readonly RunSummary[]>;
  /** Starts a new run; resolves when its modules are ready. */
  start(config: Config, options?: StartOptions): Promise<RunId>;
  /** Continues a run that was stopped or failed. `seconds` replaces its total training time. */
  resume(run: RunId, seconds?: number): Promise<void>;
  /** Orders no new rollouts until it is continued. Rollouts under way finish and train. */
  pause(run: RunId): Promise<void>;
  continue(run: RunId): Promise<void>;
  /** Ends a run with a checkpoint, from which it can be resumed. */
  stop(run: RunId): Promise<void>;
  /** Deletes all files of a run. Rejects while it runs, and without `withPool` when the success pool contains its trajectories. */
  delete(run: RunId, options: { readonly withPool: boolean }): Promise<void>;
  /** Undefined when the run does not exist. */
  state(run: RunId): RunState | undefined;
  /** Calls the listener for every change, at most a few times per second. Returns a function that ends it. */
  watch(listener: (state: RunState) => void): () => void;
  /** Replaces the verdict of the evaluator by that of a person. */
  judge(run: RunId, trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void>;
  /** Adds a trajectory to the success pool and to the run that trains. Rejects failures and trajectories of evaluations. */
  accept(trajectory: TrajectoryId, who: string): Promise<void>;
  /** Removes a trajectory from the success pool, and keeps it out. */
  reject(trajectory: TrajectoryId, who: string): Promise<void>;
  /** After an annotation changed: updates the run that trains if the trajectory is in the success pool. */
  poolChanged(trajectory: TrajectoryId): Promise<void>;
  /** The trajectories of all runs, and their annotations. */
  readonly trajectories: Trajectories;
  /** Successes that are collected before or beside training. */
  readonly collections: Collections;
  /** The desktops of the run that trains, and the kinds that are available. */
  readonly desktops: Desktops;
}
