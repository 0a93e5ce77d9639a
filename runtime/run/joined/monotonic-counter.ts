// The total of a counter whose process may restart: a lower value begins at zero again.

export class MonotonicCounter {
  #before: number;
  #last = 0;

  constructor(before = 0) {
    this.#before = before;
  }

  record(value: number): void {
    const count = Math.max(0, value);
    if (count < this.#last) this.#before += this.#last;
    this.#last = count;
  }

  get count(): number {
    return this.#before + this.#last;
  }
}
