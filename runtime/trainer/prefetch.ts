// Prefetches items of a channel during other work, so that a taker in another process never waits for a round trip.

import { orUndefinedWhenAborted, runTogether, untilAborted } from '../core/run-together.ts';
import type { Taken, Taker } from '../fabric/channels.ts';

/** `abort()` without a reason allocates an Error with a stack trace. */
const ITEM_ARRIVED = 'an item arrived';

export class Prefetch<T> {
  readonly #taker: Pick<Taker<T>, 'take'>;
  readonly #atOnce: number;
  #here: Taken<T>[] = [];
  #came = new AbortController();

  /** `atOnce` is the number of concurrent takes. */
  constructor(taker: Pick<Taker<T>, 'take'>, atOnce: number) {
    this.#taker = taker;
    this.#atOnce = atOnce;
  }

  /** Runs until the signal; then gives back every item that nobody has taken. */
  async run(over: AbortSignal): Promise<void> {
    try {
      await runTogether(
        over,
        Array.from({ length: this.#atOnce }, () => (stop: AbortSignal) => this.#ask(stop)),
      );
    } finally {
      for (const taken of this.takeAll()) await taken.giveBack();
    }
  }

  /** All prefetched items, in order of arrival. */
  takeAll(): readonly Taken<T>[] {
    const here = this.#here;
    this.#here = [];
    return here;
  }

  /** Resolves once an item is there, or the signal is aborted. */
  async waitForAny(over: AbortSignal): Promise<void> {
    if (this.#here.length === 0) await untilAborted(over, this.#came.signal);
  }

  async #ask(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const taken = await orUndefinedWhenAborted(over, this.#taker.take(over));
      if (taken === undefined) return;
      this.#here.push(taken);
      this.#came.abort(ITEM_ARRIVED);
      this.#came = new AbortController();
    }
  }
}
