// The growth of a counter per second, over the last ten seconds.

const WINDOW_MS = 10_000;

export class Rate {
  /** Oldest first. */
  #samples: { readonly count: number; readonly at: number }[] = [];

  /** After a lower count or an earlier time than the last one, it begins anew: the counter, or the process with its clock, was restarted. */
  record(count: number, at: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && (count < last.count || at < last.at)) this.#samples = [];
    this.#samples.push({ count, at });
    while ((this.#samples[1]?.at ?? at) <= at - WINDOW_MS) this.#samples.shift();
  }

  /** 0 with fewer than two samples. */
  get perSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return (1000 * (last.count - first.count)) / (last.at - first.at);
  }
}
