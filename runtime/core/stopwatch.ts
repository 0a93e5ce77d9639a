// Measures a running time, although the clock can be set and the machine can sleep.

import type { Clock } from './clock.ts';

/** Upper bound of the time between two samples: a longer gap means that the machine was asleep. */
const MAX_SAMPLE_GAP_MS = 60_000;

/** Its owner samples it at least once a minute while it runs. */
export class Stopwatch {
  readonly #clock: Clock;
  #totalMs = 0;
  /** Time of the last sample; undefined while it is stopped. */
  #sampledAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#sampledAt !== undefined;
  }

  start(): void {
    this.#sampledAt ??= this.#clock.now();
  }

  stop(): void {
    this.sample();
    this.#sampledAt = undefined;
  }

  /** Adds the time since the last sample, and returns the total in milliseconds. */
  sample(): number {
    if (this.#sampledAt === undefined) return this.#totalMs;
    const now = this.#clock.now();
    this.#totalMs += Math.min(Math.max(0, now - this.#sampledAt), MAX_SAMPLE_GAP_MS);
    this.#sampledAt = now;
    return this.#totalMs;
  }
}
