// The total of an amount that every process of a module counts from zero. Reports can be lost: the next one contains them.

export class ProcessTotal {
  #total: number | undefined;
  #since: number | undefined;
  #last = 0;

  /** `before`: of earlier runs of the program. */
  constructor(before: number | undefined) {
    this.#total = before;
  }

  /** `since` identifies the process. Nothing is recorded for an amount that it does not know. */
  record(amount: number | undefined, since: number): void {
    if (amount === undefined || !Number.isFinite(amount)) return;
    const last = since === this.#since ? this.#last : 0;
    this.#total = (this.#total ?? 0) + Math.max(0, amount - last);
    this.#last = Math.max(amount, last);
    this.#since = since;
  }

  /** Undefined if no process has known the amount. */
  get total(): number | undefined {
    return this.#total;
  }
}
