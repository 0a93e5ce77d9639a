// Where the runs of a workspace lie and how they are named, and how the weights of one are found again. Nothing is written here.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where runs go in a workspace. */
export const RUNS = '.dartboard/runs';
/** In a run's folder: the policy as it was measured last. */
export const WEIGHTS_FILE = 'weights.safetensors';
/** Beside the runs: the name of the one whose weights were written last. */
export const LATEST = 'latest';

export class RunFolderError extends Error {
  override readonly name = 'RunFolderError';
}

/** '2026-11-20-131949-dartboard': in the order of time, and a file name on every system. */
export function runName(time: Date, seed: string): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('');
  const word = seed.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${day}-${clock}-${word}`;
}

/** The file of weights that is meant: a file, the folder of a run, the name of one, or by default the latest. */
export async function findWeights(
  given: string | undefined,
  runs = RUNS,
  option = '--weights',
): Promise<string> {
  if (given === undefined) return latest(runs, option);
  for (const path of [given, join(runs, given)]) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return path;
    const inside = join(path, WEIGHTS_FILE);
    if (found?.isDirectory() && (await exists(inside))) return inside;
  }
  const names = (await readdir(runs).catch(() => [])).filter(name => name.includes('-'));
  const known = names.length === 0 ? '' : ` The latest runs are ${names.sort().slice(-3).join(', ')}.`;
  throw new RunFolderError(
    `There are no weights at '${given}': give ${option} a .safetensors file, the folder of a run, or the name of one in ${runs}.${known}`,
  );
}

async function latest(runs: string, option: string): Promise<string> {
  const name = (await readFile(join(runs, LATEST), 'utf8').catch(() => '')).trim();
  const file = join(runs, name, WEIGHTS_FILE);
  if (name !== '' && (await exists(file))) return file;
  throw new RunFolderError(
    `Nothing was trained here yet (there is no run in ${runs}): run 'dartboard train' first, or name weights with ${option}.`,
  );
}

const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;
