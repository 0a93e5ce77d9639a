// Calls that happen one after another, in the order in which they were made, as a desktop requires.

export class SerialCalls {
  /** Never rejects. */
  #previous: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** Nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Runs the call after all earlier ones, whether they succeeded or not. */
  run(call: () => Promise<void>): Promise<void> {
    this.#pending += 1;
    const done = this.#previous.then(call).finally(() => {
      this.#pending -= 1;
    });
    // Its caller gets the error.
    this.#previous = done.catch(() => undefined);
    return done;
  }

  /** Resolves once all calls so far have ended. */
  async ended(): Promise<void> {
    await this.#previous;
  }
}
