// The end of a run, for many who wait for answers at once: each leaves the moment it comes. A signal searches all its listeners
// whenever one is added or removed, which thousands of episodes would feel at every step; so it has only one here.

export class Stop {
  readonly signal: AbortSignal;
  readonly #waiting = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    const leave = () => {
      for (const each of this.#waiting) each();
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  /** The answer, or a rejection with the signal's reason if it is aborted first. */
  or<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(this.signal.reason);
      if (this.signal.aborted) leave();
      this.#waiting.add(leave);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(leave));
    });
  }
}
