// The interface of curation: which instance is rolled out next, and how often. Implementations are pure functions over plain state,
// so that they can be saved, replayed and compared without a run.

import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';

/** The plan of one group. */
export interface PlannedGroup {
  readonly instance: Instance;
  /** Number of rollouts, at least 1. */
  readonly rollouts: number;
  /** Length cap of all rollouts of the group. */
  readonly maxSteps: number;
  /** Share of random decisions in every second rollout; absent if all rollouts use the exploration of the run. */
  readonly extraExploration?: number;
  /** The reason for this instance and these numbers, for the user. */
  readonly why: string;
}

/** The result of one rollout. */
export interface RolloutResult {
  readonly instance: Instance;
  readonly success: boolean;
  readonly score: number;
  readonly steps: number;
}

/** `State` is plain data that JSON can represent. */
export interface Curation<State> {
  start(): State;
  /** Undefined if there is no task. */
  next(state: State, random: Random): { readonly state: State; readonly planned: PlannedGroup } | undefined;
  observe(state: State, result: RolloutResult): State;
  /** The recent success rate of each task; absent before its first result. */
  rates(state: State): Readonly<Record<string, number>>;
}
