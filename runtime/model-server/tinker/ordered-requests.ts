// The requests of one model: they run one after another in the order of their numbers, whatever the order of arrival. A request that is
// sent again returns the future of its first arrival, so that a lost reply causes no second update.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { ApiError } from '../api-error.ts';
import type { FutureResult } from './futures.ts';
import { KnownRequests } from './known-requests.ts';

/**
 * A number that stays away so long is skipped: its request was refused, or its client gave it up, and those after it would wait for ever.
 * Clients send a request again for less time than this after its connection was lost.
 */
export const MISSING_NUMBER_MS = 60_000;

export class OrderedRequests {
  readonly #clock: Clock;
  readonly #add: (work: Promise<FutureResult>) => string;
  readonly #known = new KnownRequests();
  /** By number. */
  readonly #waiting = new Map<number, () => Promise<unknown>>();
  /** The number of the next request to run. */
  #next = 1;
  #highest = 0;
  #isRunning = false;
  /** Ends the wait for a missing number. */
  #missing: AbortController | undefined;

  /** `add` keeps a result and returns its id. */
  constructor(clock: Clock, add: (work: Promise<FutureResult>) => string) {
    this.#clock = clock;
    this.#add = add;
  }

  /** Returns the id of the future. A request without a number follows those that arrived. Throws an ApiError for a number that is taken or late. */
  submit(seqId: number | undefined, digest: string, work: () => Promise<FutureResult>): string {
    const number = seqId ?? this.#highest + 1;
    const known = this.#known.find(number, digest);
    if (known !== undefined) return known;
    if (number < this.#next) throw lateNumber(number);
    const requestId = this.#add(
      new Promise(resolve => {
        this.#waiting.set(number, () => {
          const running = work();
          resolve(running);
          return running;
        });
      }),
    );
    this.#highest = Math.max(this.#highest, number);
    this.#known.remember(number, digest, requestId);
    this.#run();
    return requestId;
  }

  /** No request runs before this work has ended. */
  after(work: Promise<unknown>): void {
    this.#isRunning = true;
    const goOn = (): void => {
      this.#isRunning = false;
      this.#run();
    };
    work.then(goOn, goOn);
  }

  #run(): void {
    if (this.#isRunning) return;
    const run = this.#waiting.get(this.#next);
    if (run === undefined) {
      if (this.#waiting.size > 0) void this.#skipMissing();
      return;
    }
    this.#missing?.abort();
    this.#missing = undefined;
    this.#waiting.delete(this.#next);
    this.#isRunning = true;
    const goOn = (): void => {
      this.#isRunning = false;
      this.#next += 1;
      this.#run();
    };
    // The future has the error.
    run().then(goOn, goOn);
  }

  async #skipMissing(): Promise<void> {
    if (this.#missing !== undefined) return;
    const missing = new AbortController();
    this.#missing = missing;
    await sleepUnlessAborted(this.#clock, MISSING_NUMBER_MS, missing.signal);
    if (missing.signal.aborted) return;
    this.#next = Math.min(...this.#waiting.keys());
    this.#run();
  }
}

const lateNumber = (number: number): ApiError =>
  new ApiError(
    409,
    `The request with the seq_id ${number} is too late: those after it run already. Count seq_id up by 1 for each new request.`,
  );
