// What the player hands to the student: things worth imitating, and groups to learn from by comparison. Plain data, since the two
// are processes of their own.

import type { Seed, TaskId } from '../../contracts/ids.ts';
import type { Sample } from '../../policy/sample.ts';

/**
 * Deeds that a training task asks for, deeds that none asks for, the player's own successes, demonstrations, and single steps
 * that name what they act on.
 */
export const SHELVES = ['hindsight', 'beside', 'successes', 'demonstrations', 'grounding'] as const;
export type ShelfName = (typeof SHELVES)[number];

/** One trajectory that is worth imitating. */
export interface Lesson {
  readonly shelf: ShelfName;
  /** What it did; lessons of one kind make place for one another. */
  readonly kind: string;
  readonly samples: readonly Sample[];
}

export interface PlayedGroup {
  readonly task: TaskId;
  readonly seed: Seed;
  /** In the order in which they ended. */
  readonly trajectories: readonly { readonly reward: number; readonly samples: readonly Sample[] }[];
}

export interface Work {
  readonly lessons: readonly Lesson[];
  readonly groups: readonly PlayedGroup[];
  /** How often each task succeeded of late, from 0 to 1; absent before it was tried. */
  readonly rates: Readonly<Record<string, number>>;
}
