// Accumulates the metrics of the trainer between two reports.

interface Figure {
  readonly name: string;
  readonly value: number;
}

export class TrainerMeter {
  readonly #sums = new Map<string, { sum: number; count: number }>();
  readonly #maxima = new Map<string, number>();
  #flushedAt: number;
  #idleSince: number | undefined;
  #idleMs = 0;

  constructor(at: number) {
    this.#flushedAt = at;
  }

  /** Adds a value to a metric that reports its mean. Values that are not finite are ignored. */
  addMean(name: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const { sum, count } = this.#sums.get(name) ?? { sum: 0, count: 0 };
    this.#sums.set(name, { sum: sum + value, count: count + 1 });
  }

  /** Adds a part and its whole to a metric that reports the share of all parts in all wholes. */
  addShare(name: string, part: number, whole: number): void {
    const { sum, count } = this.#sums.get(name) ?? { sum: 0, count: 0 };
    if (whole > 0) this.#sums.set(name, { sum: sum + part, count: count + whole });
  }

  /** Adds a value to a metric that reports its maximum. */
  addMax(name: string, value: number): void {
    this.#maxima.set(name, Math.max(value, this.#maxima.get(name) ?? value));
  }

  /** The trainer waits from now on. */
  startIdle(at: number): void {
    this.#idleSince = at;
  }

  endIdle(at: number): void {
    this.#idleMs += at - (this.#idleSince ?? at);
    this.#idleSince = undefined;
  }

  /** Returns all metrics since the last call, with the share of idle time, and starts anew. */
  flush(at: number): readonly Figure[] {
    if (this.#idleSince !== undefined) {
      this.endIdle(at);
      this.startIdle(at);
    }
    this.addMean('trainer/idle_ratio', this.#idleMs / (at - this.#flushedAt));
    const means = [...this.#sums].map(([name, { sum, count }]) => ({ name, value: sum / count }));
    const maxima = [...this.#maxima].map(([name, value]) => ({ name, value }));
    this.#sums.clear();
    this.#maxima.clear();
    this.#flushedAt = at;
    this.#idleMs = 0;
    return [...means, ...maxima];
  }
}
