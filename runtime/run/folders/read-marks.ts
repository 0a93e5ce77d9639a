// Reads the marks of all trajectories from their file, so that it works while another program has the index.

import { join } from 'node:path';
import { textIn } from '../../core/existing-file.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import { parsedJson } from '../../core/json.ts';
import { type Marked, marked, parseMark, UNMARKED } from '../../data/files/marks.ts';
import { MARKS } from '../../data/files/places.ts';

/** `root` is the folder of the runs. Empty if it has no marks. */
export async function readMarks(root: string): Promise<ReadonlyMap<TrajectoryId, Marked>> {
  const marks = new Map<TrajectoryId, Marked>();
  for (const line of ((await textIn(join(root, MARKS))) ?? '').split('\n')) {
    // The last line may be incomplete.
    const mark = parseMark(parsedJson(line));
    if (mark === undefined) continue;
    marks.set(mark.trajectory, marked(marks.get(mark.trajectory) ?? UNMARKED, mark, mark.who));
  }
  return marks;
}
