// Blobs in memory, up to a bound. Those that were not used for the longest time leave first.

import { type BlobHash, type Blobs, blobHash } from './blobs.ts';

export class MemoryBlobs implements Blobs {
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #kept = new Map<BlobHash, Uint8Array>();
  #bytes = 0;

  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    const hash = blobHash(bytes);
    if (this.#use(hash) !== undefined) return hash;
    // The caller may change its array afterwards.
    this.#kept.set(hash, Uint8Array.from(bytes));
    this.#bytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
    return hash;
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#use(hash);
  }

  #use(hash: BlobHash): Uint8Array | undefined {
    const bytes = this.#kept.get(hash);
    if (bytes === undefined) return undefined;
    this.#kept.delete(hash);
    this.#kept.set(hash, bytes);
    return bytes;
  }
}
