// Puts each blob once as long as its store keeps it. Calls with equal bytes share one transfer.

import type { Clock } from '../core/clock.ts';
import { type BlobHash, type Blobs, blobHash } from './blobs.ts';

export class PutOnce implements Blobs {
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #knownMs: number;
  readonly #underway = new Map<BlobHash, Promise<BlobHash>>();
  /** When each was put. */
  readonly #put = new Map<BlobHash, number>();

  /** After `knownMs`, bytes are put again: the store removes blobs that nobody uses. */
  constructor(blobs: Blobs, clock: Clock, knownMs: number) {
    this.#blobs = blobs;
    this.#clock = clock;
    this.#knownMs = knownMs;
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    const hash = blobHash(bytes);
    this.#forgetOld();
    if (this.#put.has(hash)) return hash;
    const transfer = this.#underway.get(hash) ?? this.#transfer(hash, bytes);
    return await transfer;
  }

  get(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash);
  }

  forget(): void {
    this.#put.clear();
  }

  #transfer(hash: BlobHash, bytes: Uint8Array): Promise<BlobHash> {
    const transfer = this.#blobs
      .put(bytes)
      .then(() => {
        this.#put.set(hash, this.#clock.now());
        return hash;
      })
      .finally(() => this.#underway.delete(hash));
    this.#underway.set(hash, transfer);
    return transfer;
  }

  #forgetOld(): void {
    const now = this.#clock.now();
    for (const [hash, putMs] of this.#put) {
      // Oldest first.
      if (now - putMs < this.#knownMs) break;
      this.#put.delete(hash);
    }
  }
}
