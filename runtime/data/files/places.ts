// File and folder names below the folder of the runs. It performs no I/O.

import { createHash } from 'node:crypto';
import type { RunId, TrajectoryId } from '../../core/ids.ts';

export const LEDGER = 'outcomes.jsonl';
export const MARKS = 'labels.jsonl';
export const SUGGESTIONS = 'suggestions.jsonl';
export const INDEX = 'index.sqlite';
/** The identity of the workspace in an index that several workspaces share. */
export const WORKSPACE = 'workspace.json';
export const LOCK = 'lock';

/** File modes: other users must not read screenshots and typed text. */
export const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;

/** The folder of trajectories in each run folder. Trajectories without a run use the folder `_`, which is not a valid run id. */
export const TRAJECTORIES = 'trajectories';
export const NO_RUN = '_';
const FILE = '.zip';
/** Suffix of a file that is being written; a crash can leave it. */
export const UNFINISHED = '.unfinished';

/** Trajectories are spread over 256 folders by the hash of their id, so that folders stay small. */
export function placeOf(id: TrajectoryId, run: RunId | undefined): string {
  const bucket = createHash('sha256').update(id).digest('hex').slice(0, 2);
  return [run ?? NO_RUN, TRAJECTORIES, bucket, `${id}${FILE}`].join('/');
}

/** The trajectory id in a file name; undefined for other files. */
export const idIn = (fileName: string): string | undefined =>
  fileName.endsWith(FILE) ? fileName.slice(0, -FILE.length) : undefined;
