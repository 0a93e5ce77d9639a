// How fast something that is counted grows, over the last seconds.

/** Milliseconds that are looked back on. */
const SPAN = 10_000;

export class Rate {
  /** The oldest first. */
  #noted: { readonly count: number; readonly at: number }[] = [];

  /** A count that is smaller than before began anew. */
  record(count: number, at: number): void {
    const last = this.#noted.at(-1);
    if (last !== undefined && count < last.count) this.#noted = [];
    this.#noted.push({ count, at });
    while ((this.#noted[1]?.at ?? at) <= at - SPAN) this.#noted.shift();
  }

  /** 0 where too little is known. */
  get perSecond(): number {
    const [first, last] = [this.#noted[0], this.#noted.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return (1000 * (last.count - first.count)) / (last.at - first.at);
  }
}
