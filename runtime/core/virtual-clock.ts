// A clock for tests and simulations: time advances only in `run`, from one wake-up to the next. Hours of a run take seconds.

import type { Clock } from './clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  /** In order of waking; sleepers with the same time in order of arrival. */
  readonly #sleepers: Sleeper[] = [];
  #now: number;

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + Math.max(0, milliseconds), wake };
      signal?.addEventListener('abort', abort, { once: true });
      this.#sleepers.splice(this.#sleepers.findLastIndex(({ at }) => at <= sleeper.at) + 1, 0, sleeper);
    });
  }

  /** Advances until `until`, or until nobody sleeps. Settled promises run before the next sleeper wakes. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    await settle();
    for (let next = this.#sleepers[0]; next !== undefined && next.at <= until; next = this.#sleepers[0]) {
      this.#sleepers.shift();
      this.#now = next.at;
      next.wake();
      await settle();
    }
    if (Number.isFinite(until)) this.#now = Math.max(this.#now, until);
  }
}

/** Lets all code run that waits for settled promises. */
const settle = () => new Promise<void>(resolve => setImmediate(resolve));
