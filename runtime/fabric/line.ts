// A first-come, first-served line of waiters. The caller has what they wait for.

interface Waiter<T> {
  readonly serve: (value: T) => void;
  readonly refuse: (reason: unknown) => void;
}

export class Line<T> {
  /** A set keeps the order in which it was filled. */
  readonly #waiters = new Set<Waiter<T>>();

  /** Until it is served. Rejects with the reason of whichever signal is aborted first, and has then left the line. */
  wait(...signals: readonly (AbortSignal | undefined)[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const reason = (): unknown => signals.find(signal => signal?.aborted)?.reason;
      if (signals.some(signal => signal?.aborted)) return reject(reason());
      const leave = () => {
        this.#waiters.delete(waiter);
        for (const signal of signals) signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter<T> = {
        serve: value => {
          leave();
          resolve(value);
        },
        refuse: why => {
          leave();
          reject(why);
        },
      };
      const abort = () => waiter.refuse(reason());
      for (const signal of signals) signal?.addEventListener('abort', abort);
      this.#waiters.add(waiter);
    });
  }

  /** Hands it to who came first; false when nobody waits. */
  serve(value: T): boolean {
    const [first] = this.#waiters;
    first?.serve(value);
    return first !== undefined;
  }

  /** All who wait are sent away. */
  refuse(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.refuse(reason);
  }
}
