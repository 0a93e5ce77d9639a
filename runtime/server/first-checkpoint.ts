// Finds the checkpoint that a new run starts from, and writes it to the folder of the run.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE } from '../core/agent.ts';
import { type Random, seeded } from '../core/rng.ts';
import { DurableFolder } from '../data/files/durable.ts';
import { baseWeights } from '../run/folders/base-weights.ts';
import { decodePolicy, isPolicyFile } from '../run/folders/policy-file.ts';
import { CHECKPOINTS } from '../run/folders/run-folders.ts';
import { type Checkpoint, checkpointOf, decodeCheckpoint, restartFrom } from '../trainer/checkpoint.ts';
import { CheckpointFolder } from '../trainer/checkpoint-folder.ts';
import { RunError } from './run-error.ts';

export interface FirstCheckpoint {
  /** The file, or 'base'. */
  readonly from: string;
  /** The start of a training with these random numbers. */
  restarted(random: Random): Checkpoint;
}

/**
 * `from` is a file with a checkpoint or with weights, the folder or name of a run in `root`, whose newest checkpoint is used, or 'base'. Rejects
 * without one.
 */
export async function findCheckpoint(from: string, root: string): Promise<FirstCheckpoint> {
  // No such file: it may be the name of a run.
  if ((await stat(from).catch(() => undefined))?.isFile())
    return { from, restarted: restartOf(await readFile(from), from) };
  for (const folder of [from, join(root, from)]) {
    const found = await new CheckpointFolder(join(folder, CHECKPOINTS)).newest();
    if (found !== undefined)
      return { from: found.file, restarted: random => restartFrom(found.checkpoint, random) };
  }
  if (from === BASE) return { from, restarted: restartOf(await readFile(baseWeights()), BASE) };
  throw new RunError(
    `'${from}' has no checkpoint. Give a file with a checkpoint or weights, the folder or name of a run, or '${BASE}'.`,
  );
}

/** Throws for a file that is neither a checkpoint nor weights. */
function restartOf(bytes: Uint8Array, name: string): FirstCheckpoint['restarted'] {
  if (isPolicyFile(bytes)) {
    const policy = decodePolicy(bytes, name);
    return random => checkpointOf(policy, random);
  }
  const checkpoint = decodeCheckpoint(bytes, name);
  return random => restartFrom(checkpoint, random);
}

/** `folder` is that of the checkpoints of the new run. The seed is that of its configuration. */
export async function writeFirstCheckpoint(
  folder: string,
  { restarted }: FirstCheckpoint,
  seed: string,
): Promise<void> {
  await new CheckpointFolder(folder).write(restarted(seeded(seed)), new DurableFolder(folder));
}
