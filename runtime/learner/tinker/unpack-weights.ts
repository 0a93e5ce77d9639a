// Published weights as a folder that the servers of the policy can load. SkyRL names them `tinker://MODEL/NAME`, and writes an archive of them
// below its checkpoints.

import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import type { PublishedWeights } from '../learner.ts';

/** Adapters have a `tinker://MODEL/NAME` in SkyRL, and a kind between the two in the protocol. */
const PUBLISHED = /^tinker:\/\/([\w-]+)\/(?:sampler_weights\/)?([\w-]+)$/;

/**
 * Unpacks the archive of the weights beside it, once. `checkpoints` is the folder of the server's checkpoints as this machine and the servers
 * of the policy see it. Weights with another path are already a folder or a file.
 */
export async function unpackWeights(
  weights: PublishedWeights,
  checkpoints: string,
  signal: AbortSignal,
): Promise<PublishedWeights> {
  const [, model, name] = PUBLISHED.exec(weights.path) ?? [];
  if (model === undefined || name === undefined) return weights;
  const folder = join(checkpoints, model, 'sampler_weights', name);
  const unpacked = { ...weights, path: folder };
  if (await exists(folder)) return unpacked;
  const part = `${folder}.part`;
  try {
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true });
    // It recognises compression. The archives of some backends have none, whatever their names.
    await promisify(execFile)('tar', ['-xf', `${folder}.tar.gz`, '-C', part], { signal, windowsHide: true });
    await rename(part, folder);
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(
      `The weights '${weights.path}' cannot be unpacked from '${folder}.tar.gz': ${messageOf(error).trim().replace(/\.?$/, '.')} Set 'checkpoints' of the learner to the folder of the server's checkpoints, as this machine sees it.`,
      { cause: error },
    );
  }
  return unpacked;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
