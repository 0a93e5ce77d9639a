// The number of workers that load new weights at a time. One after another keeps the others serving, but where loading takes long, the last
// worker then decides with weights that are several versions old, and what it decides is too old to train.

/** The share of a new measurement in a mean. */
const RENEWAL = 0.25;

export class SwapPace {
  #loadMs: number | undefined;
  #intervalMs: number | undefined;
  #publishedAt: number | undefined;

  /** A new version came. */
  published(now: number): void {
    if (this.#publishedAt !== undefined)
      this.#intervalMs = renewed(this.#intervalMs, now - this.#publishedAt);
    this.#publishedAt = now;
  }

  /** A worker loaded weights for this long. */
  loaded(milliseconds: number): void {
    this.#loadMs = renewed(this.#loadMs, milliseconds);
  }

  /** So many of `workers`, which have weights, that each gets new weights about once per version; 1 while nothing is measured. */
  atOnce(workers: number): number {
    if (this.#loadMs === undefined || this.#intervalMs === undefined) return 1;
    return swapsAtOnce(workers, this.#loadMs, this.#intervalMs);
  }
}

/** At least one, and at most all but one, so that some worker always serves. */
export const swapsAtOnce = (workers: number, loadMs: number, intervalMs: number): number =>
  Math.max(1, Math.min(workers - 1, Math.ceil((workers * loadMs) / Math.max(1, intervalMs))));

const renewed = (mean: number | undefined, value: number): number =>
  mean === undefined ? value : mean + RENEWAL * (value - mean);
