// Blobs in a folder, one file each, for as long as a run is active. This process alone uses the folder, so the times of use are in memory.

import { rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { isMissing } from '../core/errors.ts';
import { type BlobHash, type Blobs, blobHash } from './blobs.ts';

export interface FolderBlobsOptions {
  readonly folder: string;
  /** Together. Exceeded by what must be kept. */
  readonly maxBytes: number;
  /** Since the last use. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

interface StoredBlob {
  readonly bytes: number;
  usedAt: number;
}

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export class FolderBlobs implements Blobs {
  readonly #options: FolderBlobsOptions;
  /** In the order of their last use. */
  readonly #stored = new Map<BlobHash, StoredBlob>();
  readonly #writing = new Map<BlobHash, Promise<void>>();
  #bytes = 0;

  private constructor(options: FolderBlobsOptions) {
    this.#options = options;
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
    if (this.#use(hash) !== undefined) return hash;
    const earlier = this.#writing.get(hash);
    if (earlier !== undefined) {
      await earlier;
      return hash;
    }
    const write = this.#write(hash, bytes).finally(() => this.#writing.delete(hash));
    this.#writing.set(hash, write);
    await write;
    return hash;
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    const stored = this.#use(hash);
    if (stored === undefined) return undefined;
    const bytes = await readFile(this.#fileOf(hash)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (bytes !== undefined && blobHash(bytes) === hash) return bytes;
    // Collected and put again meanwhile.
    if (this.#stored.get(hash) !== stored) return await this.get(hash);
    // Damaged or removed on the disk. It can be put again.
    this.#remove(hash);
    return undefined;
  }

  /**
   * Removes blobs that were not used for the longest allowed time, and then the least recently used beyond the bound of bytes. Returns
   * their number. Those in `kept` stay.
   */
  collect(kept: ReadonlySet<BlobHash>): number {
    const { clock, maxAgeMs, maxBytes } = this.#options;
    const oldest = clock.now() - maxAgeMs;
    let removed = 0;
    for (const [hash, { usedAt }] of this.#stored) {
      if (usedAt >= oldest && this.#bytes <= maxBytes) break;
      if (kept.has(hash)) continue;
      this.#remove(hash);
      removed += 1;
    }
    return removed;
  }

  /** Removes the folder. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
    this.#stored.clear();
    await rm(this.#options.folder, { recursive: true, force: true });
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
    this.#stored.set(hash, { bytes: bytes.byteLength, usedAt: this.#options.clock.now() });
    this.#bytes += bytes.byteLength;
  }

  #use(hash: BlobHash): StoredBlob | undefined {
    const stored = this.#stored.get(hash);
    if (stored === undefined) return undefined;
    stored.usedAt = this.#options.clock.now();
    this.#stored.delete(hash);
    this.#stored.set(hash, stored);
    return stored;
  }

  /** In one turn, so that no other call finds a blob whose file is about to be removed. */
  #remove(hash: BlobHash): void {
    const stored = this.#stored.get(hash);
    if (stored === undefined) return;
    this.#stored.delete(hash);
    this.#bytes -= stored.bytes;
    rmSync(this.#fileOf(hash), { force: true });
  }

  /** Spread over 256 folders, so that they stay small. */
  #fileOf(hash: BlobHash): string {
    return join(this.#options.folder, hash.slice(0, 2), hash);
  }
}
