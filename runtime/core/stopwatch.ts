// How long something has gone on, if it is looked at now and then. A machine that was asleep did nothing meanwhile, and clocks are set:
// what lies between two looks counts for so much and no more.

import type { Clock } from './clock.ts';

/** Milliseconds between two looks. */
const MOST = 60_000;

export class Stopwatch {
  readonly #clock: Clock;
  #milliseconds = 0;
  /** When it was looked at last; undefined while it stands. */
  #at: number | undefined;

  /** It stands until it is told to go on. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get goesOn(): boolean {
    return this.#at !== undefined;
  }

  /** In all, up to now. */
  get milliseconds(): number {
    const now = this.#clock.now();
    if (this.#at !== undefined) {
      this.#milliseconds += Math.min(Math.max(0, now - this.#at), MOST);
      this.#at = now;
    }
    return this.#milliseconds;
  }

  goOn(): void {
    this.#at ??= this.#clock.now();
  }

  stand(): void {
    this.#milliseconds = this.milliseconds;
    this.#at = undefined;
  }
}
