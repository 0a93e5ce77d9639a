// How long a run has trained, over all of its lives: only time in which it goes on counts, and no more than it was given.

import type { Clock } from '../../contracts/world.ts';

export class Trained {
  readonly #clock: Clock;
  readonly #most: number;
  #before: number;
  /** Since when time counts; undefined while it does not. */
  #since: number | undefined;

  /** Seconds that it is given, and that it trained in earlier lives. It stands until it is told to go on. */
  constructor(clock: Clock, most: number, before: number) {
    this.#clock = clock;
    this.#most = most;
    this.#before = before;
  }

  get seconds(): number {
    const now = this.#since === undefined ? 0 : (this.#clock.now() - this.#since) / 1000;
    return Math.min(this.#most, this.#before + now);
  }

  get isOver(): boolean {
    return this.seconds >= this.#most;
  }

  goOn(): void {
    this.#since ??= this.#clock.now();
  }

  stand(): void {
    this.#before = this.seconds;
    this.#since = undefined;
  }
}
