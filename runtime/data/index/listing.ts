// Lists and reads the trajectory files below the folder of the runs. Synchronous, because the index has its own thread.

import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../core/errors.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { idIn, TRAJECTORIES } from '../files/places.ts';
import { decodeHead } from '../files/trajectory-file.ts';

export interface Listed {
  /** That it goes by, if it is a trajectory. */
  readonly id: string | undefined;
  /** Below the root. */
  readonly place: string;
}

/** Everything where trajectories lie. */
export function* listed(root: string): Generator<Listed> {
  for (const run of foldersIn(root)) {
    const folder = join(run, TRAJECTORIES);
    for (const bucket of foldersIn(join(root, folder))) {
      for (const name of readdirSync(join(root, folder, bucket))) {
        yield { id: idIn(name), place: join(folder, bucket, name) };
      }
    }
  }
}

const foldersIn = (path: string): readonly string[] => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Holds the heads of nearly all: one read a file. */
const MOST_HEADS = 1 << 13;
const buffer = new Uint8Array(MOST_HEADS);

export function readHead(path: string): { readonly head: TrajectoryHead; readonly bytes: number } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = readSync(file, buffer, 0, buffer.length, 0);
    const head = decodeHead(buffer.subarray(0, read), path);
    if (!('needs' in head)) return { head, bytes: size };
    const larger = new Uint8Array(Math.min(head.needs, size));
    readSync(file, larger, 0, larger.length, 0);
    const whole = decodeHead(larger, path);
    if ('needs' in whole)
      throw new RangeError(`'${path}' is cut off: put the file back from a copy, or delete it.`);
    return { head: whole, bytes: size };
  } finally {
    closeSync(file);
  }
}
