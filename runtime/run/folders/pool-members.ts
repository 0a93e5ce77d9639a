// Finds the members of the success pool that belong to a run, by files alone.

import { join } from 'node:path';
import { exists } from '../../core/existing-file.ts';
import type { RunId, TrajectoryId } from '../../core/ids.ts';
import { placeOf } from '../../data/files/places.ts';
import { readMarks } from './read-marks.ts';

/** `root` is the folder of the runs. */
export async function membersOf(root: string, run: RunId): Promise<readonly TrajectoryId[]> {
  const marks = await readMarks(root);
  const members = [...marks].filter(([, { isInPool }]) => isInPool === true).map(([id]) => id);
  const isHere = await Promise.all(members.map(id => exists(join(root, placeOf(id, run)))));
  return members.filter((_, index) => isHere[index]);
}
