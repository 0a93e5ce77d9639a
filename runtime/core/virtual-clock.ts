// A clock for tests and simulations: time advances only in `run`, from one wake-up to the next. Hours of a run take seconds.

import type { Clock } from './clock.ts';
import { Heap } from './heap.ts';

interface Sleeper {
  readonly at: number;
  /** In order of arrival. */
  readonly number: number;
  readonly signal: AbortSignal | undefined;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  /** In order of waking; sleepers with the same time in order of arrival. Aborted ones stay until their time. */
  readonly #sleepers = new Heap<Sleeper>((a, b) => a.at - b.at || a.number - b.number);
  #arrivals = 0;
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
      const abort = () => reject(signal?.reason);
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      const at = this.#now + Math.max(0, milliseconds);
      this.#sleepers.push({ at, number: this.#arrivals++, signal, wake });
    });
  }

  /** Advances until `until`, or until nobody sleeps. Settled promises run before the next sleeper wakes. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    await settle();
    for (let next = this.#sleepers.first; next && next.at <= until; next = this.#sleepers.first) {
      this.#sleepers.pop();
      if (next.signal?.aborted) continue;
      this.#now = next.at;
      next.wake();
      await settle();
    }
    if (Number.isFinite(until)) this.#now = Math.max(this.#now, until);
  }
}

/** Lets all code run that waits for settled promises. */
const settle = () => new Promise<void>(resolve => setImmediate(resolve));
