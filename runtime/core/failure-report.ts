// Reports that work fails, and that it works again: once each, however many concurrent calls fail.

export class FailureReport {
  readonly #report: (error?: Error) => void;
  /** Calls that failed and did not succeed yet. */
  #failing = 0;

  /** `report` gets no error when the last failing call succeeds. */
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
      if (this.#failing === 1) this.#report(error);
    };
    try {
      const result = await work(failing);
      if (isFailing && this.#failing === 1) this.#report();
      return result;
    } finally {
      if (isFailing) this.#failing -= 1;
    }
  }
}
