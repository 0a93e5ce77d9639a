// The blobs of a store in the order of their last use, and which of them may leave. It is in memory: one process alone uses such a store.

import type { Clock } from '../core/clock.ts';
import type { BlobHash } from './blobs.ts';

export interface BlobLimits {
  /** Together. Exceeded by what must be kept. */
  readonly maxBytes: number;
  /** Since the last use. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

export interface UsedBlob {
  readonly bytes: number;
  usedAt: number;
}

export class BlobUsage {
  readonly #limits: BlobLimits;
  /** In the order of their last use. */
  readonly #blobs = new Map<BlobHash, UsedBlob>();
  #bytes = 0;

  constructor(limits: BlobLimits) {
    this.#limits = limits;
  }

  /** One that is there already keeps its size. */
  add(hash: BlobHash, bytes: number): void {
    if (this.use(hash) !== undefined) return;
    this.#blobs.set(hash, { bytes, usedAt: this.#limits.clock.now() });
    this.#bytes += bytes;
  }

  /** Is no use. */
  has(hash: BlobHash): boolean {
    return this.#blobs.has(hash);
  }

  /** The same object until the blob is removed. */
  use(hash: BlobHash): UsedBlob | undefined {
    const used = this.#blobs.get(hash);
    if (used === undefined) return undefined;
    used.usedAt = this.#limits.clock.now();
    this.#blobs.delete(hash);
    this.#blobs.set(hash, used);
    return used;
  }

  /** False after it was removed, also if it was added again since. */
  isCurrent(hash: BlobHash, used: UsedBlob): boolean {
    return this.#blobs.get(hash) === used;
  }

  remove(hash: BlobHash): void {
    this.#bytes -= this.#blobs.get(hash)?.bytes ?? 0;
    this.#blobs.delete(hash);
  }

  /**
   * Removes blobs that were not used for the longest allowed time, and then the least recently used beyond the bound of bytes. Those in
   * `kept` stay. Returns what left.
   */
  collect(kept: ReadonlySet<BlobHash>): readonly BlobHash[] {
    const { clock, maxAgeMs, maxBytes } = this.#limits;
    const oldest = clock.now() - maxAgeMs;
    const left: BlobHash[] = [];
    for (const [hash, { usedAt }] of this.#blobs) {
      if (usedAt >= oldest && this.#bytes <= maxBytes) break;
      if (kept.has(hash)) continue;
      this.remove(hash);
      left.push(hash);
    }
    return left;
  }
}
