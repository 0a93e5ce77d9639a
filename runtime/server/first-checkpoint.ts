// Finds the checkpoint that a new run starts from, and writes it to the folder of the run.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { seeded } from '../core/rng.ts';
import { DurableFolder } from '../data/files/durable.ts';
import { CHECKPOINTS } from '../run/folders/run-folders.ts';
import { type Checkpoint, decodeCheckpoint, restartFrom } from '../trainer/checkpoint.ts';
import { CheckpointFolder } from '../trainer/checkpoint-folder.ts';
import { RunError } from './run-error.ts';

export interface FirstCheckpoint {
  readonly file: string;
  readonly checkpoint: Checkpoint;
}

/** `from` is a checkpoint file, or the folder or name of a run in `root`, whose newest checkpoint is used. Rejects without one. */
export async function findCheckpoint(from: string, root: string): Promise<FirstCheckpoint> {
  // No such file: it may be the name of a run.
  if ((await stat(from).catch(() => undefined))?.isFile())
    return { file: from, checkpoint: decodeCheckpoint(await readFile(from), from) };
  for (const folder of [from, join(root, from)]) {
    const found = await new CheckpointFolder(join(folder, CHECKPOINTS)).newest();
    if (found !== undefined) return found;
  }
  throw new RunError(`'${from}' has no checkpoint. Give a checkpoint file, or the folder or name of a run.`);
}

/** `folder` is that of the checkpoints of the new run. The seed is that of its configuration. */
export async function writeFirstCheckpoint(
  folder: string,
  { checkpoint }: FirstCheckpoint,
  seed: string,
): Promise<void> {
  const files = new DurableFolder(folder);
  await new CheckpointFolder(folder).write(restartFrom(checkpoint, seeded(seed)), files);
}
