// The folder of a trainer's checkpoints: written so that there is a whole one at every instant, and the newest whole one is found
// again. What is in a checkpoint is not told here.

import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, CheckpointError, decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';

/** The last, and the one before it in case the disk has harmed the last. */
const KEPT = 2;

const NAME = /^checkpoint-(\d+)\.safetensors$/;
const UNFINISHED = '.unfinished';

export interface Found {
  readonly file: string;
  readonly checkpoint: Checkpoint;
  /** Newer files that could not be used, with why. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
  /** The highest number of any of them. */
  readonly newest: number;
}

export class CheckpointFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once it is on the disk; only then are older ones removed. */
  async keep(checkpoint: Checkpoint): Promise<void> {
    await mkdir(this.#path, { recursive: true });
    const file = this.#file(checkpoint.version);
    await written(`${file}${UNFINISHED}`, encodeCheckpoint(checkpoint));
    await rename(`${file}${UNFINISHED}`, file);
    await synced(this.#path);
    const names = await readdir(this.#path);
    const unfinished = names.filter(name => name.endsWith(UNFINISHED) && NAME.test(withoutEnd(name)));
    const old = numbersIn(names).slice(KEPT).map(fileName);
    for (const name of [...unfinished, ...old]) await rm(join(this.#path, name), { force: true });
  }

  /** The newest that is whole; undefined where there are none at all. Rejects where there are some and none is whole. */
  async newest(): Promise<Found | undefined> {
    const numbers = numbersIn(await this.#names());
    const skipped: { readonly file: string; readonly why: string }[] = [];
    for (const number of numbers) {
      const file = this.#file(number);
      try {
        const checkpoint = decodeCheckpoint(await readFile(file), file);
        return { file, checkpoint, skipped, newest: numbers[0] ?? number };
      } catch (error) {
        if (!(error instanceof CheckpointError)) throw error;
        skipped.push({ file, why: error.message });
      }
    }
    if (skipped.length === 0) return undefined;
    throw new CheckpointError(
      `No checkpoint in '${this.#path}' can be used; move them away to train anew. ${skipped.map(({ why }) => why).join(' ')}`,
    );
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  #file(number: number): string {
    return join(this.#path, fileName(number));
  }
}

const fileName = (number: number): string => `checkpoint-${number}.safetensors`;
const withoutEnd = (name: string): string => name.slice(0, -UNFINISHED.length);

/** The newest first. */
const numbersIn = (names: readonly string[]): readonly number[] =>
  names
    .flatMap(name => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);

async function written(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** So that the new name is on the disk too. Windows does so by itself, and cannot be asked to. */
async function synced(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
