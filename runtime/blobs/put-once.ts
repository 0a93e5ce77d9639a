// Puts each blob once as long as its store keeps it. Calls with equal bytes share one transfer.

import type { Clock } from '../core/clock.ts';
import { type BlobHash, type Blobs, blobHash } from './blobs.ts';
import { SharedTransfers } from './shared-transfers.ts';

export class PutOnce implements Blobs {
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #knownMs: number;
  readonly #transfers = new SharedTransfers();
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
    if (!this.#put.has(hash)) await this.#transfers.once(hash, () => this.#transfer(hash, bytes));
    return hash;
  }

  get(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash);
  }

  forget(): void {
    this.#put.clear();
  }

  async #transfer(hash: BlobHash, bytes: Uint8Array): Promise<void> {
    await this.#blobs.put(bytes);
    this.#put.set(hash, this.#clock.now());
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
