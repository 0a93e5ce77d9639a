// Loads again after changes, one load at a time. Changes during a load lead to one more.

export class Reloader {
  readonly #load: () => Promise<void>;
  #loading: Promise<void> | undefined;
  #isStale = false;

  /** `load` never rejects. */
  constructor(load: () => Promise<void>) {
    this.#load = load;
  }

  /** Resolves after a load that began after this call. */
  async reload(): Promise<void> {
    this.#isStale = true;
    this.#loading ??= this.#loadUntilFresh();
    await this.#loading;
  }

  async #loadUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#load();
    }
    this.#loading = undefined;
  }
}
