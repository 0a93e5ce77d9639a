// Published weights as a folder that the servers of the policy can load. SkyRL names them `tinker://MODEL/NAME`, and writes an archive of them
// below its checkpoints.

import { execFile } from 'node:child_process';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
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
  clock: Clock,
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
    await extract(`${folder}${ARCHIVE}`, part, clock, signal);
    await rename(part, folder);
    await removeOldest(join(checkpoints, model, 'sampler_weights'));
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(
      `The weights '${weights.path}' cannot be unpacked from '${folder}.tar.gz': ${messageOf(error).trim().replace(/\.?$/, '.')} Set 'checkpoints' of the learner to the folder of the server's checkpoints, as this machine sees it.`,
      { cause: error },
    );
  }
  return unpacked;
}

/** The file system of a server can hang. */
const DEADLINE_MS = 10 * 60_000;

const extract = (archive: string, folder: string, clock: Clock, signal: AbortSignal): Promise<unknown> =>
  withDeadline(
    over => promisify(execFile)('tar', ['-xf', archive, '-C', folder], { signal: over, windowsHide: true }),
    { what: 'tar', ms: DEADLINE_MS, clock, signal },
  );

/** Servers of the policy load the newest; one that starts again may load an earlier one. */
const KEPT_FOLDERS = 4;
const ARCHIVE = '.tar.gz';
/** The optimiser steps of published weights, and a count of the checkpoints before them. */
const UNPACKED = /^step-\d+-\d+$/;

/** Removes unpacked folders beyond the newest ones. Their archives may be there, or deleted by somebody. */
async function removeOldest(parent: string): Promise<void> {
  const unpacked = (await readdir(parent)).filter(name => UNPACKED.test(name));
  // Not by time: tar gives a folder the time of the folder in the archive.
  const oldestFirst = unpacked.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  for (const name of oldestFirst.slice(0, -KEPT_FOLDERS))
    await rm(join(parent, name), { recursive: true, force: true });
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
