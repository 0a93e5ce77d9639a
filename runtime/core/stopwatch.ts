// Measures how long something runs, by a clock that can be set and on a machine that can sleep.

import type { Clock } from './clock.ts';

/** Time between two samples counts for at most so much: a machine that was asleep did nothing meanwhile. */
const MAX_SAMPLE_GAP_MS = 60_000;

/** Its owner samples it at least once a minute while it runs. */
export class Stopwatch {
  readonly #clock: Clock;
  #totalMs = 0;
  /** When it was sampled last; undefined while it is stopped. */
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
