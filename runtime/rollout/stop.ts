// The end of a run, for many who wait for answers at once: each leaves the moment it comes. A signal searches all its listeners
// whenever one is added or removed, which thousands of episodes would feel at every step; so it has only one here.

export class Stop {
  readonly signal: AbortSignal;
  readonly #waiting = new Set<(reason: unknown) => void>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    const leave = () => {
      for (const each of this.#waiting) each(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  /** The answer, or a rejection with the signal's reason if it is aborted first. */
  or<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.#waiting.add(reject);
      answer.then(
        value => {
          this.#waiting.delete(reject);
          resolve(value);
        },
        error => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }
}
