import { type Clock, sleepUnlessAborted } from './clock.ts';

/** A client that follows some state asks again after this time: its own requests have deadlines. */
export const FOLLOW_MS = 10_000;

/** Clients that wait for a change of some state. */
export class Followers {
  #next = new AbortController();

  tell(): void {
    this.#next.abort();
    this.#next = new AbortController();
  }

  /** Resolves at the next change, or after a while. */
  wait(clock: Clock): Promise<void> {
    return sleepUnlessAborted(clock, FOLLOW_MS, this.#next.signal);
  }
}
