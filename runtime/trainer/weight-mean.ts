// The exponential mean of the weights over the last seconds. Single updates move single weights far, so evaluations use the mean.

/** Time constant of the mean. */
const TIME_CONSTANT_MS = 6000;

export class WeightMean {
  readonly #mean: Float32Array<ArrayBuffer>;
  #at: number;

  /** `at` is the training time of `mean`, in milliseconds. */
  constructor(mean: Float32Array, at: number) {
    this.#mean = new Float32Array(mean);
    this.#at = at;
  }

  /** The weight of `present` grows with the time since the last call. */
  add(present: Float32Array, at: number): void {
    const share = 1 - Math.exp(-Math.max(0, at - this.#at) / TIME_CONSTANT_MS);
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
