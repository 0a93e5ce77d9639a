// Keeps blobs of a distant store in memory, up to a bound. Several readers of one blob share one transfer.

import type { BlobHash, Blobs } from './blobs.ts';
import { MemoryBlobs } from './memory-blobs.ts';
import { SharedTransfers } from './shared-transfers.ts';

export class CachedBlobs implements Blobs {
  readonly #distant: Blobs;
  readonly #near: MemoryBlobs;
  readonly #transfers = new SharedTransfers<Uint8Array | undefined>();

  constructor(distant: Blobs, maxBytes: number) {
    this.#distant = distant;
    this.#near = new MemoryBlobs(maxBytes);
  }

  /** Not cached: a host rarely reads what it wrote. */
  put(bytes: Uint8Array): Promise<BlobHash> {
    return this.#distant.put(bytes);
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    const near = await this.#near.get(hash);
    return near ?? (await this.#transfers.once(hash, () => this.#transfer(hash)));
  }

  async #transfer(hash: BlobHash): Promise<Uint8Array | undefined> {
    const bytes = await this.#distant.get(hash);
    if (bytes !== undefined) await this.#near.put(bytes);
    return bytes;
  }
}
