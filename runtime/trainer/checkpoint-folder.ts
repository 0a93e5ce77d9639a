// The folder of a trainer's checkpoints: there is a whole one at every instant, and the newest whole one is found again. What is
// in a checkpoint is not told here.

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../core/errors.ts';
import { type Checkpoint, CheckpointError, decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';

/** The last, and the one before it in case the disk has harmed the last. */
const KEPT = 2;

const NAME = /^checkpoint-(\d+)\.safetensors$/;
const UNFINISHED = /^checkpoint-\d+\.safetensors\..*unfinished$/;

export interface Found {
  readonly file: string;
  readonly checkpoint: Checkpoint;
  /** Newer files that could not be used, with why. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
  /** The highest number of any of them. */
  readonly newest: number;
}

/** Where checkpoints are written. */
export interface Files {
  /** Whole or not at all; resolves once it would survive a loss of power. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

export class CheckpointFolder {
  readonly #path: string;
  /** What was found and is no fallback. */
  readonly #unusable = new Set<number>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once it is on the disk; only then are older ones removed. `files` are those of this very folder. */
  async keep(checkpoint: Checkpoint, files: Files): Promise<void> {
    await files.write(fileName(checkpoint.version), encodeCheckpoint(checkpoint));
    const names = await readdir(this.#path);
    const unfinished = names.filter(name => UNFINISHED.test(name));
    const numbers = numbersIn(names);
    const oldest = numbers.filter(number => !this.#unusable.has(number))[KEPT - 1] ?? 0;
    const old = numbers.filter(number => number < oldest).map(fileName);
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
        const why = error instanceof CheckpointError ? error.message : unread(file, error);
        this.#unusable.add(number);
        skipped.push({ file, why });
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
      if (isMissing(error)) return [];
      throw error;
    }
  }

  #file(number: number): string {
    return join(this.#path, fileName(number));
  }
}

/** A disk that does harm may give nothing at all. */
const unread = (file: string, error: unknown): string =>
  `'${file}' cannot be read: ${error instanceof Error ? error.message : String(error)}.`;

const fileName = (number: number): string => `checkpoint-${number}.safetensors`;

/** The newest first. */
const numbersIn = (names: readonly string[]): readonly number[] =>
  names
    .flatMap(name => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
