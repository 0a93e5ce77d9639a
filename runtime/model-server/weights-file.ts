// The file of the weights that are served. A run replaces it with each evaluation.

import { readFile, stat } from 'node:fs/promises';
import { blobOf } from '../agents/compact/blob.ts';
import { version } from '../core/ids.ts';
import { tensor } from '../graph/tensor.ts';
import { decodePolicy } from '../run/folders/policy-file.ts';
import type { LoadedPolicy } from './served-versions.ts';

export class WeightsFile {
  readonly #file: string;
  /** Identifies the content that was read last. */
  #read = '';

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined if the file is the same as at the last call. Rejects when it cannot be read. */
  async load(): Promise<LoadedPolicy | undefined> {
    const { mtimeMs, size, ino } = await stat(this.#file);
    const identity = [mtimeMs, size, ino].join();
    if (identity === this.#read) return undefined;
    const { shape, mode, weights, by } = decodePolicy(await readFile(this.#file), this.#file);
    this.#read = identity;
    const vector = tensor('float32', [weights.length], weights);
    return {
      ...{ shape, mode, writtenAt: mtimeMs },
      weights: { version: version(by?.version ?? 0), blob: blobOf(vector) },
    };
  }
}
