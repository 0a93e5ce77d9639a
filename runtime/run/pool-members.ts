// Which trajectories of a run are in the success pool: read off the files alone, so that it is known also while another program has the
// index.

import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId, TrajectoryId } from '../core/ids.ts';
import { marked, parseMark, UNMARKED } from '../data/files/marks.ts';
import { MARKS, placeOf } from '../data/files/places.ts';

/** `root` is the folder of the runs. */
export async function membersOf(root: string, run: RunId): Promise<readonly TrajectoryId[]> {
  const lines = (await readFile(join(root, MARKS), 'utf8').catch(() => '')).split('\n');
  const after = new Map<TrajectoryId, typeof UNMARKED>();
  for (const line of lines) {
    const mark = markIn(line);
    if (mark !== undefined) after.set(mark.trajectory, marked(after.get(mark.trajectory) ?? UNMARKED, mark));
  }
  const members = [...after].filter(([, { isInPool }]) => isInPool === true).map(([id]) => id);
  const here = await Promise.all(members.map(id => isThere(join(root, placeOf(id, run)))));
  return members.filter((_, index) => here[index]);
}

/** Undefined for half a line: who writes is not waited for. */
function markIn(line: string) {
  try {
    return parseMark(JSON.parse(line));
  } catch {
    return undefined;
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
