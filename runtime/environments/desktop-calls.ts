// The calls of a desktop: one at a time, and the running one rejects when the desktop breaks or is closed.

import { BoundaryError, failureOf } from '../core/failure.ts';
import type { DesktopId } from '../core/ids.ts';

const CLOSED = 'the desktop is closed';

interface DesktopCallsOptions {
  readonly id: DesktopId;
  /** Called after a call has failed for another reason than its task: the state of the desktop is unknown. */
  readonly discard: () => void | Promise<void>;
}

export class DesktopCalls {
  readonly #options: DesktopCallsOptions;
  #isBusy = false;
  #isClosed = false;
  #reject: (error: BoundaryError) => void = () => undefined;

  constructor(options: DesktopCallsOptions) {
    this.#options = options;
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    this.assertOpen();
    if (this.#isBusy) throw this.error('two calls at the same time: wait for the first one');
    this.#isBusy = true;
    try {
      const interrupted = new Promise<never>((_, reject) => {
        this.#reject = reject;
      });
      return await Promise.race([call(), interrupted]);
    } catch (error) {
      const { id, discard } = this.#options;
      const failure = failureOf(error, 'environment', id);
      if (failure.boundary !== 'task') await discard();
      throw error instanceof BoundaryError ? error : new BoundaryError(failure, { cause: error });
    } finally {
      this.#isBusy = false;
      this.#reject = () => undefined;
    }
  }

  /** Rejects the running call with the reason. */
  interrupt(why: string): void {
    this.#reject(this.error(why));
  }

  /** Rejects the running call and all later ones. */
  close(): void {
    this.#isClosed = true;
    this.interrupt(CLOSED);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  assertOpen(): void {
    if (this.#isClosed) throw this.error(CLOSED);
  }

  error(message: string): BoundaryError {
    return new BoundaryError({ boundary: 'environment', thing: this.#options.id, message });
  }
}
