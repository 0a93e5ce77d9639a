// The location and names of runs in a workspace, and the search for their weights. Writes nothing.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE } from '../../core/agent.ts';
import { exists, textIn } from '../../core/existing-file.ts';
import { baseWeights } from './base-weights.ts';

/** The folder of runs in a workspace. */
export const RUNS = '.dartboard/runs';
/** In a run's folder: the policy of the last evaluation. */
export const WEIGHTS_FILE = 'weights.safetensors';
/** Beside the runs: contains the name of the run that wrote weights last. */
export const LATEST = 'latest';

export class RunFolderError extends Error {
  override readonly name = 'RunFolderError';
}

/** A run cannot be deleted alone: other runs learn from its trajectories. */
export class RunInPoolError extends RunFolderError {}

/** '2026-11-20-131949-dartboard': sorts by time, and is a valid file name on every system. */
export function runName(time: Date, seed: string): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('');
  const word = seed.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${day}-${clock}-${word}`;
}

/** `weights` is a file, the folder or name of a run, or 'base'. Default: the latest run, or the base weights before any training. */
export async function findWeights(
  weights: string | undefined,
  runs = RUNS,
  option = '--weights',
): Promise<string> {
  if (weights === undefined) return (await latest(runs)) ?? baseWeights();
  for (const path of [weights, join(runs, weights)]) {
    // A path that cannot be read has no weights, which the error below reports.
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return path;
    const inside = join(path, WEIGHTS_FILE);
    if (found?.isDirectory() && (await exists(inside))) return inside;
  }
  if (weights === BASE) return baseWeights();
  // The list only completes the error.
  const names = (await readdir(runs).catch(() => [])).filter(name => name.includes('-'));
  const latestRuns = names.length === 0 ? '' : ` The latest runs are ${names.sort().slice(-3).join(', ')}.`;
  throw new RunFolderError(
    `'${weights}' has no weights. Give ${option} a .safetensors file, the folder or name of a run in ${runs}, or '${BASE}'.${latestRuns}`,
  );
}

async function latest(runs: string): Promise<string | undefined> {
  const name = (await textIn(join(runs, LATEST)))?.trim() ?? '';
  const file = join(runs, name, WEIGHTS_FILE);
  return name !== '' && (await exists(file)) ? file : undefined;
}
