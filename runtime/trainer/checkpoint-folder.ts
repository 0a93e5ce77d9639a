// The folder of checkpoints. At every moment it has a complete one; a restart finds the newest complete one.

import { join } from 'node:path';
import { type Disk, nodeDisk } from '../core/disk.ts';
import { sentenceOf } from '../core/errors.ts';
import { type Checkpoint, CheckpointError, decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';

/** The last, and the one before in case the disk damages the last. */
const STORED_CHECKPOINTS = 2;

const NAME = /^checkpoint-(\d+)\.safetensors$/;
const UNFINISHED = /^checkpoint-\d+\.safetensors\..*unfinished$/;

export interface FoundCheckpoint {
  readonly file: string;
  readonly checkpoint: Checkpoint;
  /** Newer files that cannot be used, with the reason. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
  /** The highest number of all files. */
  readonly newest: number;
}

/** Writes files of the folder. */
export interface CheckpointFiles {
  /** Atomic; resolves once the file survives a power loss. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** Receives an older file that cannot be removed. The next write tries again. */
export type Undeleted = (file: string, error: unknown) => void;

export class CheckpointFolder {
  readonly #path: string;
  readonly #disk: Pick<Disk, 'names' | 'read' | 'remove'>;
  /** Numbers of unusable files: they are no fallback. */
  readonly #unusable = new Set<number>();

  constructor(path: string, disk: Pick<Disk, 'names' | 'read' | 'remove'> = nodeDisk) {
    this.#path = path;
    this.#disk = disk;
  }

  /** Writes a checkpoint durably, then removes older ones. */
  async write(
    checkpoint: Checkpoint,
    files: CheckpointFiles,
    undeleted: Undeleted = () => undefined,
  ): Promise<void> {
    await files.write(fileName(checkpoint.version), encodeCheckpoint(checkpoint));
    const names = await this.#disk.names(this.#path);
    const unfinished = names.filter(name => UNFINISHED.test(name));
    const numbers = numbersIn(names);
    const oldest = numbers.filter(number => !this.#unusable.has(number))[STORED_CHECKPOINTS - 1] ?? 0;
    const old = numbers.filter(number => number < oldest).map(fileName);
    // On Windows, a file that another program reads cannot be removed.
    for (const file of [...unfinished, ...old].map(name => join(this.#path, name)))
      await this.#disk.remove(file).catch((error: unknown) => undeleted(file, error));
  }

  /** The newest usable checkpoint; undefined if there are no files. Rejects if no file can be used. */
  async newest(): Promise<FoundCheckpoint | undefined> {
    const numbers = numbersIn(await this.#disk.names(this.#path));
    const skipped: { readonly file: string; readonly why: string }[] = [];
    for (const number of numbers) {
      const file = this.#file(number);
      try {
        const checkpoint = decodeCheckpoint(await this.#disk.read(file), file);
        return { file, checkpoint, skipped, newest: numbers[0] ?? number };
      } catch (error) {
        const why = error instanceof CheckpointError ? error.message : unread(file, error);
        this.#unusable.add(number);
        skipped.push({ file, why });
      }
    }
    if (skipped.length === 0) return undefined;
    throw new CheckpointError(
      `No checkpoint in '${this.#path}' can be used. Move the files away to train from the start. ${skipped.map(({ why }) => why).join(' ')}`,
    );
  }

  #file(number: number): string {
    return join(this.#path, fileName(number));
  }
}

const unread = (file: string, error: unknown): string => `'${file}' cannot be read: ${sentenceOf(error)}`;

const fileName = (number: number): string => `checkpoint-${number}.safetensors`;

/** The newest first. */
const numbersIn = (names: readonly string[]): readonly number[] =>
  names
    .flatMap(name => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
