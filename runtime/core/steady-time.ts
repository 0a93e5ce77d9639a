// Time that never goes back, because durations are measured with it. After the clock of a machine was set back, it runs at half the speed
// until that clock has caught up.

export class SteadyTime {
  readonly #read: () => number;
  #last: number;
  /** Milliseconds before the clock of the machine. */
  #ahead = 0;

  /** `read`: the clock of the machine, in milliseconds. */
  constructor(read: () => number) {
    this.#read = read;
    this.#last = read();
  }

  /** In whole milliseconds. */
  now(): number {
    const now = this.#read();
    const passed = now - this.#last;
    this.#last = now;
    this.#ahead = Math.max(0, this.#ahead - (passed < 0 ? passed : passed / 2));
    return Math.round(now + this.#ahead);
  }
}
