// Lists and reads the trajectory files below the folder of the runs. Synchronous, because the index has its own thread.

import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../core/errors.ts';
import { isRunId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { idIn, NO_RUN, TRAJECTORIES } from '../files/places.ts';
import { decodeHead } from '../files/trajectory-file.ts';

export interface FoundFile {
  /** The name of the run, or `_`. */
  readonly run: string;
  /** The trajectory id in the file name; undefined for other files. */
  readonly id: string | undefined;
  /** The path below the root. */
  readonly place: string;
}

/** All files in the trajectory folders of runs and of no run. Other folders, such as those of deleted runs, are skipped. */
export function* filesIn(root: string): Generator<FoundFile> {
  for (const run of foldersIn(root).filter(name => name === NO_RUN || isRunId(name))) {
    const folder = join(run, TRAJECTORIES);
    for (const bucket of foldersIn(join(root, folder))) {
      for (const { name } of entriesIn(join(root, folder, bucket))) {
        yield { run, id: idIn(name), place: join(folder, bucket, name) };
      }
    }
  }
}

const foldersIn = (path: string): readonly string[] =>
  entriesIn(path)
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);

/** A run may be deleted meanwhile. */
const entriesIn = (path: string): readonly Dirent[] => {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Larger than nearly all heads, so that most files need one read. */
const FIRST_READ_BYTES = 1 << 13;
const buffer = new Uint8Array(FIRST_READ_BYTES);

export function readHead(path: string): { readonly head: TrajectoryHead; readonly bytes: number } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = readSync(file, buffer, 0, buffer.length, 0);
    let head = decodeHead(buffer.subarray(0, read), path);
    if ('needs' in head) {
      const larger = new Uint8Array(Math.min(head.needs, size));
      readSync(file, larger, 0, larger.length, 0);
      head = decodeHead(larger, path);
    }
    if ('needs' in head)
      throw new RangeError(
        `The trajectory file '${path}' is truncated. Restore it from a copy, or delete it.`,
      );
    return { head, bytes: size };
  } finally {
    closeSync(file);
  }
}
