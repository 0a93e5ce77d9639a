// The part of a trajectory that people trimmed it to, as a trajectory of its own. Pure.

import type { Trajectory } from '../core/trajectory.ts';
import type { Part } from '../data/files/marks.ts';
import { turnsOf } from './steps.ts';
import { WriteRefusal } from './written-files.ts';

export interface PartOfTrajectory {
  readonly trajectory: Trajectory;
  /** From the one before its first step to the one after its last. */
  readonly pictures: readonly Uint8Array[];
}

/**
 * Laws: no step outside the part is in it, and no turn is cut, since its reply has all of its actions. Throws a WriteRefusal if the part
 * has no whole turn.
 */
export function partOf(
  trajectory: Trajectory,
  pictures: readonly Uint8Array[],
  part: Part,
): PartOfTrajectory {
  const { steps } = trajectory;
  const bounds = [...turnsOf(steps).map(({ at }) => at), steps.length];
  const from = bounds.find(bound => bound >= part.from) ?? steps.length;
  const to = bounds.findLast(bound => bound <= part.to) ?? 0;
  if (from >= to)
    throw new WriteRefusal(
      `It is trimmed to the steps ${part.from + 1} to ${part.to} of ${steps.length}, which have no whole turn. Trim it at the start of a turn, or export all steps.`,
    );
  return {
    trajectory: { ...trajectory, steps: steps.slice(from, to) },
    pictures: pictures.slice(from, to + 1),
  };
}
