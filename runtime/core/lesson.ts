// Lessons: steps to imitate, with an instruction that fits them. They are not episodes, so they never count in success rates. Files do not
// contain them, because discovery can find them again.

import type { TrajectoryId } from './ids.ts';
import type { EncodedObservation } from './policy.ts';
import type { TrainingChoice } from './trace.ts';

/**
 * hindsight: an accidental outcome that solves a training task.
 * beside: an accidental outcome that solves no training task.
 * successes: a successful rollout of the run.
 * demonstrations: a trajectory of a person or of a scripted solution.
 * grounding: a single step whose instruction names its target.
 */
export const LESSON_SORTS = ['hindsight', 'beside', 'successes', 'demonstrations', 'grounding'] as const;
export type LessonSort = (typeof LESSON_SORTS)[number];

export type DemonstrationAuthor = 'person' | 'script';

export interface LessonStep {
  readonly observation: EncodedObservation;
  readonly choice: TrainingChoice;
}

export interface Lesson {
  readonly sort: LessonSort;
  /** The outcome that the lesson teaches. A full replay buffer replaces lessons of the same kind first. */
  readonly kind: string;
  /** The trajectory, if it can be withdrawn: a lesson replaces an earlier one of it, and one without steps removes that. */
  readonly from?: TrajectoryId;
  /** The author of the demonstration from which it was transferred to another instance; absent if it was not. */
  readonly transferredFrom?: DemonstrationAuthor;
  /** A trajectory or a part of one. */
  readonly steps: readonly LessonStep[];
}

/** The sampling weight of each kind of lesson, from the success rates of its tasks; 1 for kinds that are not listed. */
export type Needs = Readonly<Record<string, number>>;
