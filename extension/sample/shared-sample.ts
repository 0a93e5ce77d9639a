// The sample that this window has open. Windows share its folder, so another one may delete it. Calls happen one after another.

import { isComplete } from './unpack.ts';

interface Sample {
  readonly folder: string;
  close(): void;
}

interface Options<S extends Sample> {
  /** Resolves with the folder. */
  readonly unpack: () => Promise<string>;
  readonly open: (folder: string) => S;
}

export class SharedSample<S extends Sample> {
  readonly #options: Options<S>;
  #sample: S | undefined;
  /** Never rejects. */
  #previous: Promise<unknown> = Promise.resolve();

  constructor(options: Options<S>) {
    this.#options = options;
  }

  /** Opens the sample if it is not open, or if its files were deleted. */
  use(work: (sample: S) => Promise<void>): Promise<S> {
    return this.#inTurn(async () => {
      if (this.#sample !== undefined && !(await isComplete(this.#sample.folder))) this.close();
      const { unpack, open } = this.#options;
      const sample = this.#sample ?? open(await unpack());
      this.#sample = sample;
      await work(sample);
      return sample;
    });
  }

  /** Closes the sample, then deletes its files. Waits for a use under way, so that a daemon that is starting can be stopped. */
  delete(deleteFiles: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      this.close();
      await deleteFiles();
    });
  }

  /** Closes the sample at once. Repeated calls have no effect. */
  close(): void {
    const sample = this.#sample;
    // Closing the last panel calls this function again.
    this.#sample = undefined;
    sample?.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#previous.then(work);
    // Its caller gets the error.
    this.#previous = done.catch(() => undefined);
    return done;
  }
}
