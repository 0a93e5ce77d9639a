// Wakes all waiting callers at once.

export class Bell {
  #waiting: (() => void)[] = [];

  ring(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }

  /** The next ring after now, or the signal's abort, whichever comes first. */
  next(signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.push(wake);
    });
  }
}
