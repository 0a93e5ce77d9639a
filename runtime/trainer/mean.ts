// The mean of the weights over the last seconds: single updates make single weights jump, so this is what is measured and kept.

/** Milliseconds that it looks back. */
const LOOKS_BACK = 6000;

export class RunningMean {
  readonly #mean: Float32Array<ArrayBuffer>;
  #at: number;

  /** `at` is when the mean was as it is, in milliseconds of training. */
  constructor(mean: Float32Array, at: number) {
    this.#mean = new Float32Array(mean);
    this.#at = at;
  }

  /** The longer ago the last weights were seen, the more the present ones count. */
  see(present: Float32Array, at: number): void {
    const share = 1 - Math.exp(-Math.max(0, at - this.#at) / LOOKS_BACK);
    this.#at = at;
    for (let index = 0; index < this.#mean.length; index++) {
      const before = this.#mean[index] ?? 0;
      this.#mean[index] = before + share * ((present[index] ?? 0) - before);
    }
  }

  /** A copy. */
  values(): Float32Array<ArrayBuffer> {
    return this.#mean.slice();
  }
}
