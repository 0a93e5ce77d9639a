// Finds the members of the success pool that belong to a run. Reads files only, so that it works while another program has the index.

import { join } from 'node:path';
import { exists, textIn } from '../../core/existing-file.ts';
import type { RunId, TrajectoryId } from '../../core/ids.ts';
import { parsedJson } from '../../core/json.ts';
import { marked, parseMark, UNMARKED } from '../../data/files/marks.ts';
import { MARKS, placeOf } from '../../data/files/places.ts';

/** `root` is the folder of the runs. */
export async function membersOf(root: string, run: RunId): Promise<readonly TrajectoryId[]> {
  const lines = ((await textIn(join(root, MARKS))) ?? '').split('\n');
  const marksById = new Map<TrajectoryId, typeof UNMARKED>();
  for (const line of lines) {
    // The last line may be incomplete.
    const mark = parseMark(parsedJson(line));
    if (mark !== undefined)
      marksById.set(mark.trajectory, marked(marksById.get(mark.trajectory) ?? UNMARKED, mark, mark.who));
  }
  const members = [...marksById].filter(([, { isInPool }]) => isInPool === true).map(([id]) => id);
  const isHere = await Promise.all(members.map(id => exists(join(root, placeOf(id, run)))));
  return members.filter((_, index) => isHere[index]);
}
