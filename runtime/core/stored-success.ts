// Stored successes that a run starts from: members of the success pool, and successes of an earlier process of the run. Their files lack
// observations, so they are replayed on a desktop before training.

import type { TrajectoryId } from './ids.ts';
import type { LessonStep } from './lesson.ts';
import type { Instance } from './task.ts';
import type { Trajectory } from './trajectory.ts';

/** A stored trajectory with its marks. */
export interface StoredSuccess {
  readonly trajectory: Trajectory;
  /** Whether it is a member of the pool; otherwise it is a success of the run. */
  readonly isMember: boolean;
  /** Milliseconds since 1970. The newest success of an instance replaces a failure. */
  readonly since: number;
  /** The corrected instruction, if any; otherwise the original. */
  readonly instruction: string;
  /** The steps to learn from; `to` is exclusive. All steps if absent. */
  readonly part?: { readonly from: number; readonly to: number };
}

/** A stored success after its replay, with the observations of this run. */
export interface StoredStep {
  readonly id: TrajectoryId;
  readonly instance: Instance;
  readonly isMember: boolean;
  readonly since: number;
  /** Whether it may replace a failure of its instance. With a corrected instruction it is only a lesson. */
  readonly canReplaceFailure: boolean;
  /** Whether the trajectory has other steps, which are not to be learned. */
  readonly isPart?: boolean;
  /** Never empty. */
  readonly steps: readonly LessonStep[];
}
