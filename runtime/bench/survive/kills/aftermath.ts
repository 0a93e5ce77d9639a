// Examines the files of a run after its end: the trajectories and labels that were acknowledged, its checkpoint, its batches, its curve, and
// whether its index is the one that is made again from its files.

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { textIn } from '../../../core/existing-file.ts';
import { trajectoryId } from '../../../core/ids.ts';
import { parsedJson } from '../../../core/json.ts';
import { safeParse } from '../../../core/safe-parse.ts';
import { systemClock } from '../../../core/system-clock.ts';
import { INDEX } from '../../../data/files/places.ts';
import { olderPlace } from '../../../data/files/rotating-log.ts';
import { TrajectoryStore } from '../../../data/store.ts';
import { readCurve } from '../../../run/curves/curve-files.ts';
import { CHECKPOINTS, MASKS_FILE } from '../../../run/folders/run-folders.ts';
import { CheckpointFolder } from '../../../trainer/checkpoint-folder.ts';
import { entry } from '../../training.ts';
import { curveSetbacks, differingRows, type IndexRows, type TrainedGroup, trainedTwice } from './account.ts';
import type { FaultedRun } from './faulted-run.ts';

export interface Aftermath {
  readonly trajectories: number;
  /** Acknowledged trajectories, labels and checkpoints that are missing, as sentences. */
  readonly lost: readonly string[];
  /** Trajectories that trained in more than one batch. */
  readonly twice: number;
  /** Rows of the index that an index from the files does not have, or has otherwise. */
  readonly disagreements: readonly string[];
  /** Measurements of the curve, and those with fewer steps than the one before. */
  readonly measurements: number;
  readonly setbacks: number;
}

const MAX_ROWS = 10_000_000;

/** `isCompact`: the run trains the built-in policy, whose checkpoints are files. */
export async function aftermathOf(
  root: string,
  { name, kept, labelled }: Pick<FaultedRun, 'name' | 'kept' | 'labelled'>,
  isCompact: boolean,
): Promise<Aftermath> {
  const folder = join(root, name);
  const lost: string[] = [];
  const rows = await withStore(root, async (store, complaints) => {
    lost.push(...complaints);
    const all = await rowsOf(store);
    for (const id of kept) {
      const why = await store
        .read(trajectoryId(id))
        .then(found => (found.id === id ? undefined : `its file has ${found.id}`), messageOf);
      if (why !== undefined) lost.push(`trajectory ${id}: ${why}`);
    }
    for (const id of labelled)
      if ((await store.index.row(trajectoryId(id)))?.label === undefined) lost.push(`label of ${id}`);
    return all;
  });
  const index = join(root, INDEX);
  await rename(index, `${index}.replaced`);
  const rebuilt = await withStore(root, rowsOf);
  if (isCompact) {
    const checkpoint = await new CheckpointFolder(join(folder, CHECKPOINTS)).newest().catch(messageOf);
    if (checkpoint === undefined || typeof checkpoint === 'string')
      lost.push(`checkpoint: ${checkpoint ?? 'there is none'}`);
    else lost.push(...checkpoint.skipped.map(({ file, why }) => `checkpoint ${file}: ${why}`));
  }
  const curve = await readCurve(folder);
  return {
    trajectories: rows.size,
    lost,
    twice: trainedTwice(await trainedGroups(join(folder, MASKS_FILE))),
    disagreements: differingRows(rows, rebuilt),
    measurements: curve.length,
    setbacks: curveSetbacks(curve.flatMap(({ steps }) => steps ?? [])),
  };
}

async function withStore<T>(
  root: string,
  work: (store: TrajectoryStore, complaints: readonly string[]) => Promise<T>,
): Promise<T> {
  const complaints: string[] = [];
  const store = await TrajectoryStore.open({
    ...{ root, indexEntry: entry('index'), clock: systemClock },
    notice: text => void complaints.push(text),
  });
  try {
    return await work(store, complaints);
  } finally {
    await store.close();
  }
}

async function rowsOf({ index }: TrajectoryStore): Promise<IndexRows> {
  const { rows } = await index.page({
    ...{ filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: MAX_ROWS },
  });
  return new Map(rows.map(row => [row.id, JSON.stringify(row)]));
}

const maskLine = z.object({
  batch: z.string(),
  group: z.string(),
  rollouts: z.array(z.object({ trajectory: z.string() })),
});

/** A kill may have cut off a line. */
async function trainedGroups(file: string): Promise<readonly TrainedGroup[]> {
  const texts = await Promise.all([olderPlace(file), file].map(textIn));
  return texts
    .flatMap(text => text?.split('\n') ?? [])
    .flatMap(line => safeParse(maskLine, parsedJson(line)).data ?? [])
    .map(({ batch, group, rollouts }) => ({
      ...{ batch, group },
      trajectories: rollouts.map(({ trajectory }) => trajectory),
    }));
}
