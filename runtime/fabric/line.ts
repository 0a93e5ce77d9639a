// A first-come, first-served line of waiters. The caller owns the values that they wait for.

interface Waiter<T> {
  readonly serve: (value: T) => void;
  readonly refuse: (reason: unknown) => void;
}

export class Line<T> {
  /** A set iterates in the order of insertion. */
  readonly #waiters = new Set<Waiter<T>>();

  get length(): number {
    return this.#waiters.size;
  }

  /** Resolves when the waiter is served. Leaves the line and rejects when a signal is aborted first. */
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

  /** Serves the first waiter; false when nobody waits. */
  serve(value: T): boolean {
    const [first] = this.#waiters;
    first?.serve(value);
    return first !== undefined;
  }

  /** Rejects all waiters. */
  refuse(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.refuse(reason);
  }
}
