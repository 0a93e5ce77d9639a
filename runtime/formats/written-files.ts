// The result of a writer of a foreign format: files of one trajectory, and lines of files that trajectories share.

import type { Size } from '../core/screen.ts';
import type { Trajectory } from '../core/trajectory.ts';

export interface WrittenFile {
  /** Relative to the folder of the export, with '/'. */
  readonly place: string;
  readonly bytes: Uint8Array;
}

export interface WrittenTrajectory {
  /** In this order: the last one makes the trajectory complete. */
  readonly files: readonly WrittenFile[];
  /** Lines of shared files, without line breaks. */
  readonly lines: readonly { readonly place: string; readonly text: string }[];
  /** Conversations or turns for fine-tuning. */
  readonly examples?: number;
  /** Parts that were left out, with the reason. */
  readonly omitted?: readonly string[];
}

export interface WriteOptions {
  /** Of trajectories without pictures. */
  readonly screen: Size;
  /** In the folder names of OSWorld. */
  readonly domainOf: (trajectory: Trajectory) => string;
  /** True for a trajectory that differs from the stored one. An import then does not recognise it by its id. */
  readonly isChanged?: boolean;
}

/**
 * Laws: pure; reading what it wrote gives the same actions, instruction, score and pictures. Throws a WriteRefusal for a trajectory that
 * the format cannot hold, instead of changing it.
 */
export type TrajectoryWriter = (
  trajectory: Trajectory,
  /** One more than there are steps at most; an empty one is missing. */
  pictures: readonly Uint8Array[],
  options: WriteOptions,
) => WrittenTrajectory;

/** The message has no reference to the trajectory: the caller adds it. */
export class WriteRefusal extends Error {
  override readonly name = 'WriteRefusal';
}

/** For formats whose readers refuse a trajectory without steps: an episode that broke at its start. */
export function requireSteps({ steps }: Pick<Trajectory, 'steps'>): void {
  if (steps.length === 0) throw new WriteRefusal('The trajectory has no step. Leave it out.');
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
