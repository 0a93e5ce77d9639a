// Reports that work fails, and that it works again: once each, however many concurrent calls fail.

export class FailureReport {
  readonly #report: (error?: Error) => void;
  /** Calls that failed and have not settled yet. */
  #failing = 0;
  #isReported = false;

  /** `report` gets no error when a call succeeds while no other one fails. */
  constructor(report: (error?: Error) => void) {
    this.#report = report;
  }

  /** Settles like `work`, which may call `failing` more than once. */
  async around<T>(work: (failing: (error: Error) => void) => Promise<T>): Promise<T> {
    let isFailing = false;
    const failing = (error: Error) => {
      if (isFailing) return;
      isFailing = true;
      this.#failing += 1;
      if (!this.#isReported) this.#report(error);
      this.#isReported = true;
    };
    let result: T;
    try {
      result = await work(failing);
    } finally {
      if (isFailing) this.#failing -= 1;
    }
    // The call that was reported may have rejected before.
    if (this.#isReported && this.#failing === 0) {
      this.#isReported = false;
      this.#report();
    }
    return result;
  }
}
