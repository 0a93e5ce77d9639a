// The writes of blobs that are under way. Writers of the same blob share one.

import type { BlobHash } from './blobs.ts';

export class BlobWrites {
  readonly #underway = new Map<BlobHash, Promise<void>>();

  /** Writers that share a write also share its error. */
  async once(hash: BlobHash, write: () => Promise<void>): Promise<void> {
    const earlier = this.#underway.get(hash);
    if (earlier !== undefined) return await earlier;
    const writing = write().finally(() => this.#underway.delete(hash));
    this.#underway.set(hash, writing);
    await writing;
  }

  isUnderway(hash: BlobHash): boolean {
    return this.#underway.has(hash);
  }

  /** Resolves when none is under way, whether they succeed or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underway.values());
  }
}
