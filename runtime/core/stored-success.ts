// Successes from before that a run goes on from: members of the success pool, and what the run itself achieved in an earlier life. They
// come from files, which do not keep what was seen, and are seen again before anybody learns from them.

import type { TrajectoryId } from './ids.ts';
import type { LessonStep } from './lesson.ts';
import type { Instance } from './task.ts';
import type { Trajectory } from './trajectory.ts';

/** As it is kept, with what somebody said of it. */
export interface StoredSuccess {
  readonly trajectory: Trajectory;
  /** Of the pool; otherwise an own success of the run. */
  readonly isMember: boolean;
  /** Milliseconds since 1970: of several successes of an instance the newest stands in for a failure. */
  readonly since: number;
  /** What it should have been asked: mostly what it was asked. */
  readonly instruction: string;
  /** The steps that are worth learning, from one up to and without the other; all where it is absent. */
  readonly part?: { readonly from: number; readonly to: number };
}

/** Seen again, as the run sees it. */
export interface StoredStep {
  readonly id: TrajectoryId;
  readonly instance: Instance;
  readonly isMember: boolean;
  readonly since: number;
  /** Whether it does what its instance asks: under another instruction it is only something to imitate. */
  readonly standsIn: boolean;
  /** Never empty. */
  readonly steps: readonly LessonStep[];
}
