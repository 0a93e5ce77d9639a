// The number of workers that load new weights at a time. With one at a time, most workers always serve. But if loading takes long, some then
// decide with weights that are several versions old, and their trajectories are too old to train.

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

  /** Of `workers` that have weights: as many as must load at a time so that each loads about every version. 1 before anything is measured. */
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
