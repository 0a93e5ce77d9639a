// What is worth imitating: steps of somebody who knew what they did, under the instruction that asks for it. Not episodes, so never
// counted in success rates, and not kept in files: they can be found or made again.

import type { BatchDecision } from './batch.ts';
import type { EncodedObservation } from './policy.ts';

/**
 * hindsight: something was done, by chance or in a failed rollout, that a training task asks for.
 * beside: something was done that none of them asks for.
 * successes: a rollout of the run succeeded.
 * demonstrations: a person or a script that knows the solution.
 * grounding: a single step that names what it acts on.
 */
export const LESSON_SORTS = ['hindsight', 'beside', 'successes', 'demonstrations', 'grounding'] as const;
export type LessonSort = (typeof LESSON_SORTS)[number];

export interface LessonStep {
  readonly observation: EncodedObservation;
  /** In the order in which they were made; never empty. */
  readonly decisions: readonly BatchDecision[];
}

export interface Lesson {
  readonly sort: LessonSort;
  /** What it did; lessons of one kind make place for one another. */
  readonly kind: string;
  /** One trajectory, or a part of one. */
  readonly steps: readonly LessonStep[];
}

/** How much oftener lessons of a kind are shown than others, by how the tasks that ask for it fare; 1 where none is named. */
export type Needs = Readonly<Record<string, number>>;
