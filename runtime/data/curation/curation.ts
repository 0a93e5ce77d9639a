// Which instance is rolled out next, and how often: the seam between the module's loop and whatever decides it. Pure decisions over
// plain state, so that they can be saved, replayed and compared without a ring.

import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';

/** A group to be ordered. */
export interface Planned {
  readonly instance: Instance;
  /** Its rollouts; at least 1, and of any number. */
  readonly rollouts: number;
  /** The length cap that all of them share. */
  readonly maxSteps: number;
  /** The share of decisions at random in every other rollout; absent where all are as the run has them. */
  readonly daring?: number;
  /** Why this one, and why so many, in words for a user. */
  readonly why: string;
}

/** How one rollout came out. */
export interface Result {
  readonly instance: Instance;
  readonly success: boolean;
  readonly score: number;
  readonly steps: number;
}

/** `State` is plain data, fit for JSON. */
export interface Curation<State> {
  start(): State;
  /** Undefined where there is nothing to roll out at all. */
  next(state: State, random: Random): { readonly state: State; readonly planned: Planned } | undefined;
  observe(state: State, result: Result): State;
  /** The success rate of each task over its last results; absent before there are any. */
  rates(state: State): Readonly<Record<string, number>>;
}
