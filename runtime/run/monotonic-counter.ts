// A count over all lives of whoever counts: one that was started anew begins at nothing again.

export class MonotonicCounter {
  #before: number;
  #last = 0;

  constructor(before = 0) {
    this.#before = before;
  }

  /** Whole numbers; anything else is taken for the nearest. */
  record(said: number): void {
    const count = Math.max(0, Math.round(said));
    if (count < this.#last) this.#before += this.#last;
    this.#last = count;
  }

  get count(): number {
    return this.#before + this.#last;
  }
}
