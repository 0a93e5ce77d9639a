// Blobs in a folder, one file each, for as long as a run is active. This process alone uses the folder, so the times of use are in memory.

import { rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../core/errors.ts';
import { type BlobLimits, BlobUsage } from './blob-usage.ts';
import { type BlobHash, type Blobs, blobHash } from './blobs.ts';
import { SharedTransfers } from './shared-transfers.ts';

export interface FolderBlobsOptions extends BlobLimits {
  readonly folder: string;
}

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export class FolderBlobs implements Blobs {
  readonly #folder: string;
  readonly #usage: BlobUsage;
  readonly #writes = new SharedTransfers();
  /** Collected, but perhaps still on the disk: a removal failed. */
  readonly #unremoved = new Set<BlobHash>();

  private constructor({ folder, ...limits }: FolderBlobsOptions) {
    this.#folder = folder;
    this.#usage = new BlobUsage(limits);
  }

  /** Empties the folder: an earlier process referred to its blobs. */
  static async open(options: FolderBlobsOptions): Promise<FolderBlobs> {
    await rm(options.folder, { recursive: true, force: true });
    await mkdir(options.folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    return new FolderBlobs(options);
  }

  /** Not synced: no blob outlives the process. */
  async put(bytes: Uint8Array): Promise<BlobHash> {
    const hash = blobHash(bytes);
    if (this.#usage.use(hash) !== undefined) return hash;
    await this.#writes.once(hash, () => this.#write(hash, bytes));
    return hash;
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    const used = this.#usage.use(hash);
    if (used === undefined) return undefined;
    const bytes = await readFile(this.#fileOf(hash)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (bytes !== undefined && blobHash(bytes) === hash) return bytes;
    // Collected and put again meanwhile.
    if (!this.#usage.isCurrent(hash, used)) return await this.get(hash);
    // Damaged or removed on the disk. It can be put again.
    this.#remove(hash);
    return undefined;
  }

  /** By the rule of BlobUsage. Returns the number of removed blobs. Throws an error of the disk when all others are removed. */
  collect(kept: ReadonlySet<BlobHash>): number {
    const left = this.#usage.collect(kept);
    for (const hash of left) this.#unremoved.add(hash);
    // Not those that were put again since a removal failed. In one turn, so that no other call finds a blob whose file is about to be removed.
    const errors = [...this.#unremoved]
      .filter(hash => !this.#usage.has(hash) && !this.#writes.isUnderway(hash))
      .map(hash => this.#removeFile(hash));
    const error = errors.find(each => each !== undefined && !isBusy(each));
    if (error !== undefined) throw error;
    return left.length;
  }

  /** Removes the folder. */
  async close(): Promise<void> {
    await this.#writes.settled();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #write(hash: BlobHash, bytes: Uint8Array): Promise<void> {
    const file = this.#fileOf(hash);
    const unfinished = `${file}.unfinished`;
    await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
    try {
      await writeFile(unfinished, bytes, { mode: OWNER_ONLY_FILE });
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    this.#usage.add(hash, bytes.byteLength);
  }

  #remove(hash: BlobHash): void {
    this.#usage.remove(hash);
    this.#removeFile(hash);
  }

  /** Returns the error. The next collection tries again. */
  #removeFile(hash: BlobHash): unknown {
    try {
      rmSync(this.#fileOf(hash), { force: true });
      this.#unremoved.delete(hash);
      return undefined;
    } catch (error) {
      this.#unremoved.add(hash);
      return error;
    }
  }

  /** Spread over 256 folders, so that they stay small. */
  #fileOf(hash: BlobHash): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}

/** On Windows, a file that is being read cannot be removed. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EBUSY' || error.code === 'EPERM');
