// The requests of one model: they run one after another in the order of their numbers, whatever the order of arrival. A request that is
// sent again returns the future of its first arrival, so that a lost reply causes no second update.

import type { FutureResult } from './futures.ts';
import { KnownRequests, takenNumber } from './known-requests.ts';

export class OrderedRequests {
  readonly #add: (work: Promise<FutureResult>) => string;
  readonly #known = new KnownRequests();
  /** By number. */
  readonly #waiting = new Map<number, () => Promise<unknown>>();
  /** The number of the next request to run. */
  #next = 1;
  #highest = 0;
  #isRunning = false;

  /** `add` keeps a result and returns its id. */
  constructor(add: (work: Promise<FutureResult>) => string) {
    this.#add = add;
  }

  /** Returns the id of the future. A request without a number follows those that arrived. Throws an ApiError for a number that is taken. */
  submit(seqId: number | undefined, digest: string, work: () => Promise<FutureResult>): string {
    const number = seqId ?? this.#highest + 1;
    const known = this.#known.find(number, digest);
    if (known !== undefined) return known;
    if (number < this.#next) throw takenNumber(number);
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
    const run = this.#waiting.get(this.#next);
    if (this.#isRunning || run === undefined) return;
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
}
