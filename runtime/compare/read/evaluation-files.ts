// Finds and reads the episodes of evaluations in trajectory files, and in the ledger of those that retention deleted. It needs neither the
// index nor a lock, so it works while a run trains.

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { isMissing, messageOf } from '../../core/errors.ts';
import { namesIn } from '../../core/existing-file.ts';
import { parsedJson } from '../../core/json.ts';
import { idIn, LEDGER, NO_RUN, TRAJECTORIES } from '../../data/files/places.ts';
import { parseLedgerLine, type Summary, summaryOf } from '../../data/files/summary.ts';
import { readHead } from '../../data/index/listing.ts';

/** A file of a trajectory: its id and its path. */
export interface TrajectoryPlace {
  readonly id: string;
  readonly path: string;
}

export interface ReadEpisodes {
  readonly episodes: readonly Summary[];
  /** Messages about files that cannot be read. */
  readonly unreadable: readonly string[];
}

/** Reading is synchronous; other work of the process runs between batches. */
const BATCH = 64;

/** The trajectory files of a run, or of no run, whose id the filter accepts. */
export async function trajectoryPlaces(
  root: string,
  run: string | undefined,
  accepts: (id: string) => boolean,
): Promise<readonly TrajectoryPlace[]> {
  const folder = join(root, run ?? NO_RUN, TRAJECTORIES);
  const buckets = await namesIn(folder);
  const found: TrajectoryPlace[] = [];
  for (const bucket of buckets) {
    for (const name of await namesInBucket(join(folder, bucket))) {
      const id = idIn(name);
      if (id !== undefined && accepts(id)) found.push({ id, path: join(folder, bucket, name) });
    }
  }
  return found;
}

/** None in a file that lies between the folders. */
const namesInBucket = (path: string): Promise<readonly string[]> =>
  namesIn(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [];
    throw error;
  });

/** A file that disappears meanwhile was deleted by retention, and is then in the ledger. */
export async function readPlaces(places: readonly TrajectoryPlace[]): Promise<ReadEpisodes> {
  const episodes: Summary[] = [];
  const unreadable: string[] = [];
  for (const [index, { path }] of places.entries()) {
    if (index % BATCH === BATCH - 1) await setImmediate();
    try {
      const { head, bytes } = readHead(path);
      episodes.push(summaryOf(head, bytes));
    } catch (error) {
      if (!isMissing(error)) unreadable.push(messageOf(error));
    }
  }
  return { episodes, unreadable };
}

/** The deleted trajectories whose line contains the text and that the filter accepts. A missing ledger is empty. */
export async function deletedEpisodes(
  root: string,
  text: string,
  accepts: (row: Summary) => boolean,
): Promise<readonly Summary[]> {
  const found: Summary[] = [];
  const stream = createReadStream(join(root, LEDGER));
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      // Most lines are of training rollouts.
      if (!line.includes('"evaluate"') || !line.includes(text)) continue;
      const row = parseLedgerLine(parsedJson(line));
      if (row !== undefined && row.purpose === 'evaluate' && accepts(row)) found.push(row);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    stream.destroy();
  }
  return found;
}
