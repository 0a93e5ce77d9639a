// A taker for somebody on the other side of a port, who knows what it takes by numbers.

import type { Taken, Taker } from '../channels.ts';
import type { Handed } from './messages.ts';

export class GuestTaker {
  readonly #taker: Taker<unknown>;
  readonly #waiting = new Map<number, AbortController>();
  readonly #held = new Map<number, Taken<unknown>>();

  constructor(taker: Taker<unknown>) {
    this.#taker = taker;
  }

  async take(number: number): Promise<Handed<unknown>> {
    const givenUp = new AbortController();
    this.#waiting.set(number, givenUp);
    try {
      const taken = await this.#taker.take(givenUp.signal);
      if (!givenUp.signal.aborted) return this.#hold(number, taken);
      await taken.giveBack();
      throw givenUp.signal.reason;
    } finally {
      this.#waiting.delete(number);
    }
  }

  async tryTake(number: number): Promise<Handed<unknown> | undefined> {
    const taken = await this.#taker.tryTake();
    return taken && this.#hold(number, taken);
  }

  async acknowledge(number: number): Promise<void> {
    await this.#letGo(number)?.acknowledge();
  }

  /** A take that still waits waits no more. */
  async giveBack(number: number): Promise<void> {
    this.#waiting.get(number)?.abort();
    await this.#letGo(number)?.giveBack();
  }

  close(): Promise<void> {
    return this.#taker.close();
  }

  #hold(number: number, taken: Taken<unknown>): Handed<unknown> {
    this.#held.set(number, taken);
    return { take: number, item: taken.item, attempt: taken.attempt };
  }

  #letGo(number: number): Taken<unknown> | undefined {
    const taken = this.#held.get(number);
    this.#held.delete(number);
    return taken;
  }
}
