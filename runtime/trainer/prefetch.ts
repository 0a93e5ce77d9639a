// What comes through a channel while other work is done. Who asks for each thing when there is time for it waits for another process as
// often as it asks; here some are always asked for, and lie ready when the work is done.

import type { Taken, Taker } from '../fabric/channels.ts';
import { ended, together, unlessOver } from './together.ts';

/** A reason of its own: to make one each time, with the place in the code, costs more than what it tells. */
const CAME = 'something came';

export class Prefetch<T> {
  readonly #taker: Pick<Taker<T>, 'take'>;
  readonly #atOnce: number;
  #here: Taken<T>[] = [];
  #came = new AbortController();

  /** So many are asked for at a time. */
  constructor(taker: Pick<Taker<T>, 'take'>, atOnce: number) {
    this.#taker = taker;
    this.#atOnce = atOnce;
  }

  /** Until all is over; what nobody has fetched by then is given back. */
  async follow(over: AbortSignal): Promise<void> {
    try {
      await together(
        over,
        Array.from({ length: this.#atOnce }, () => (stop: AbortSignal) => this.#ask(stop)),
      );
    } finally {
      for (const taken of this.fetched()) await taken.giveBack();
    }
  }

  /** All that is here, in the order in which it came. */
  fetched(): readonly Taken<T>[] {
    const here = this.#here;
    this.#here = [];
    return here;
  }

  /** Resolves once something is here, or all is over. */
  async some(over: AbortSignal): Promise<void> {
    if (this.#here.length === 0) await ended(over, this.#came.signal);
  }

  async #ask(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const taken = await unlessOver(over, this.#taker.take(over));
      if (taken === undefined) return;
      this.#here.push(taken);
      this.#came.abort(CAME);
      this.#came = new AbortController();
    }
  }
}
