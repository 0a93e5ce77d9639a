// Saved weights in a process that performs with them: what `dartboard eval` and `dartboard run` share.

import { readFile } from 'node:fs/promises';
import { decodePolicy, type SavedPolicy } from './daemon/keep/policy-file.ts';
import { findWeights } from './daemon/keep/run-folder.ts';
import type { PerformerCalls } from './daemon/perform/calls.ts';
import { Caller } from './graph/process/caller.ts';

interface OnStage {
  readonly file: string;
  readonly policy: SavedPolicy;
  readonly performer: Caller<PerformerCalls, null>;
}

/** `weights` as the user gave them; undefined for the latest training's. The process ends when `use` has. */
export async function withPerformer<T>(
  entry: URL,
  weights: string | undefined,
  use: (stage: OnStage) => Promise<T>,
): Promise<T> {
  const file = await findWeights(weights);
  const policy = decodePolicy(await readFile(file), file);
  const { shape, mode, weights: data } = policy;
  const { caller: performer } = await Caller.open<PerformerCalls, null>(entry);
  try {
    await performer.call('start', { shape, mode, weights: { dtype: 'float32', dims: [data.length], data } });
    return await use({ file, policy, performer });
  } finally {
    await performer.close();
  }
}
