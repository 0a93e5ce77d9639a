// How long a run has trained, over all of its lives: only time in which it goes on counts, and no more than it was given.

import type { Clock } from '../core/clock.ts';
import { Stopwatch } from '../core/stopwatch.ts';

export class Trained {
  readonly #most: number;
  readonly #before: number;
  readonly #now: Stopwatch;

  /** Seconds that it is given, and that it trained in earlier lives. It stands until it is told to go on. */
  constructor(clock: Clock, most: number, before: number) {
    this.#most = most;
    this.#before = before;
    this.#now = new Stopwatch(clock);
  }

  get seconds(): number {
    return Math.min(this.#most, this.#before + this.#now.milliseconds / 1000);
  }

  get isOver(): boolean {
    return this.seconds >= this.#most;
  }

  goOn(): void {
    this.#now.goOn();
  }

  stand(): void {
    this.#now.stand();
  }
}
