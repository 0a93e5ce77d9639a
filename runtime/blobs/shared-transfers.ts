// The transfers of blobs that are under way. Callers for the same blob share one.

import type { BlobHash } from './blobs.ts';

export class SharedTransfers<T = void> {
  readonly #underway = new Map<BlobHash, Promise<T>>();

  /** Callers that share a transfer also share its error. */
  async once(hash: BlobHash, transfer: () => Promise<T>): Promise<T> {
    const earlier = this.#underway.get(hash);
    if (earlier !== undefined) return await earlier;
    const begun = transfer().finally(() => this.#underway.delete(hash));
    this.#underway.set(hash, begun);
    return await begun;
  }

  isUnderway(hash: BlobHash): boolean {
    return this.#underway.has(hash);
  }

  /** Resolves when none is under way, whether they succeed or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underway.values());
  }
}
