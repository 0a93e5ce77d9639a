// Finds the checkpoint that a new run starts from.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKPOINTS } from '../run/folders/run-folders.ts';
import { type Checkpoint, decodeCheckpoint } from '../trainer/checkpoint.ts';
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
