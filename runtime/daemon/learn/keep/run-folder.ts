// The folder of one training: what is in it, how it is written so that nobody ever reads half a file, and how the weights of an
// earlier training are found again.

import { appendFile, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Where trainings go in a workspace. */
export const RUNS = '.dartboard/runs';
export const WEIGHTS_FILE = 'weights.safetensors';
export const CURVE_FILE = 'curve.svg';
export const SUMMARY_FILE = 'summary.json';
export const RECIPE_FILE = 'recipe.json';
export const LOG_FILE = 'log.jsonl';
/** Beside the runs: the name of the one that was written to last. */
const LATEST = 'latest';

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

export class RunFolder {
  readonly path: string;
  /** One of the workspace's runs, and no folder that somebody chose. */
  readonly #isListed: boolean;

  private constructor(path: string, isListed: boolean) {
    this.path = path;
    this.#isListed = isListed;
  }

  /** Below the runs of a workspace, under this name. */
  static async listed(name: string, runs = RUNS): Promise<RunFolder> {
    const folder = await RunFolder.#made(join(runs, name), true);
    // Trainings are large and can be had again: they are not for the workspace's history.
    await writeFile(join(runs, '.gitignore'), '*\n');
    return folder;
  }

  /** Anywhere else. */
  static chosen(path: string): Promise<RunFolder> {
    return RunFolder.#made(path, false);
  }

  static async #made(path: string, isListed: boolean): Promise<RunFolder> {
    try {
      await mkdir(path, { recursive: true });
    } catch (error) {
      throw new RunFolderError(
        `The folder '${path}' cannot be made (${reason(error)}); name another with --out.`,
      );
    }
    if (await exists(join(path, WEIGHTS_FILE)))
      throw new RunFolderError(`The folder '${path}' holds a training already; name another with --out.`);
    return new RunFolder(path, isListed);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Whole or not at all: under another name first. */
  async keep(name: string, content: string | Uint8Array): Promise<void> {
    await written(this.file(name), content);
    if (this.#isListed && name === WEIGHTS_FILE)
      await written(join(dirname(this.path), LATEST), `${basename(this.path)}\n`);
  }

  keepJson(name: string, value: unknown): Promise<void> {
    return this.keep(name, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  log(record: object): Promise<void> {
    return appendFile(this.file(LOG_FILE), `${JSON.stringify(record)}\n`);
  }
}

async function written(file: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(unfinished, content, { flush: true });
  await rename(unfinished, file);
}

/** The file of weights that is meant: a file, the folder of a run, the name of one, or by default the latest. */
export async function findWeights(given: string | undefined, runs = RUNS): Promise<string> {
  if (given === undefined) return latest(runs);
  for (const path of [given, join(runs, given)]) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return path;
    const inside = join(path, WEIGHTS_FILE);
    if (found?.isDirectory() && (await exists(inside))) return inside;
  }
  const names = (await readdir(runs).catch(() => [])).filter(name => name.includes('-'));
  const known = names.length === 0 ? '' : ` The latest runs are ${names.sort().slice(-3).join(', ')}.`;
  throw new RunFolderError(
    `There are no weights at '${given}': give --weights a .safetensors file, the folder of a run, or the name of one in ${runs}.${known}`,
  );
}

async function latest(runs: string): Promise<string> {
  const name = (await readFile(join(runs, LATEST), 'utf8').catch(() => '')).trim();
  const file = join(runs, name, WEIGHTS_FILE);
  if (name !== '' && (await exists(file))) return file;
  throw new RunFolderError(
    `Nothing was trained here yet (there is no run in ${runs}): run 'dartboard train' first, or name weights with --weights.`,
  );
}

const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
