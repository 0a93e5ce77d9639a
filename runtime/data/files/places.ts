// Where things lie below the folder of the runs. Pure names; nothing is read or written here.

import { createHash } from 'node:crypto';
import type { RunId, TrajectoryId } from '../../core/ids.ts';

export const LEDGER = 'outcomes.jsonl';
export const MARKS = 'labels.jsonl';
export const INDEX = 'index.sqlite';
export const LOCK = 'lock';

/** Modes: screenshots and typed text of a run are for nobody else on the machine. */
export const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;

/** In each run's folder, and in that of what no run asked for: no run's id begins like it. */
export const TRAJECTORIES = 'trajectories';
const NO_RUN = '_';
const FILE = '.zip';
/** What a crash in the middle of writing leaves. */
export const UNFINISHED = '.unfinished';

/** In 256 folders by the id's hash, so that none of them gets too large for the tools that list it. */
export function placeOf(id: TrajectoryId, run: RunId | undefined): string {
  const bucket = createHash('sha256').update(id).digest('hex').slice(0, 2);
  return [run ?? NO_RUN, TRAJECTORIES, bucket, `${id}${FILE}`].join('/');
}

/** The id that a file's name says; undefined where it is none of ours. */
export const idIn = (fileName: string): string | undefined =>
  fileName.endsWith(FILE) ? fileName.slice(0, -FILE.length) : undefined;
