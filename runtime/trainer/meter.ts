// What the trainer measures of itself: numbers under the names that the field uses, gathered from one telling to the next.

interface Figure {
  readonly name: string;
  readonly value: number;
}

export class Meter {
  readonly #sums = new Map<string, { sum: number; count: number }>();
  readonly #highest = new Map<string, number>();
  #toldAt: number;
  #restsSince: number | undefined;
  #rested = 0;

  constructor(at: number) {
    this.#toldAt = at;
  }

  /** One value among those of which the mean is told; what is no number tells nothing. */
  note(name: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const { sum, count } = this.#sums.get(name) ?? { sum: 0, count: 0 };
    this.#sums.set(name, { sum: sum + value, count: count + 1 });
  }

  /** One value among those of which the highest is told. */
  noteHighest(name: string, value: number): void {
    this.#highest.set(name, Math.max(value, this.#highest.get(name) ?? value));
  }

  /** From now on there is nothing to do. */
  rests(at: number): void {
    this.#restsSince = at;
  }

  works(at: number): void {
    this.#rested += at - (this.#restsSince ?? at);
    this.#restsSince = undefined;
  }

  /** The means and heights since the last telling, and the share of the time since then in which there was nothing to do. */
  told(at: number): readonly Figure[] {
    if (this.#restsSince !== undefined) {
      this.works(at);
      this.rests(at);
    }
    this.note('trainer/idle_ratio', this.#rested / (at - this.#toldAt));
    const means = [...this.#sums].map(([name, { sum, count }]) => ({ name, value: sum / count }));
    const heights = [...this.#highest].map(([name, value]) => ({ name, value }));
    this.#sums.clear();
    this.#highest.clear();
    this.#toldAt = at;
    this.#rested = 0;
    return [...means, ...heights];
  }
}
