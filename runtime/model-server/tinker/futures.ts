// The results of requests, by the id that the reply to a request named. A client waits for a result by asking again and again.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import type { ForwardBackwardResult, SampleResult } from '../../learner/tinker/wire/messages.ts';
import { ApiError } from '../api-error.ts';
import { type FailedFuture, failureOf } from './faults.ts';

export type FutureResult =
  | { readonly kind: 'trained'; readonly result: ForwardBackwardResult }
  | { readonly kind: 'sampled'; readonly result: SampleResult }
  | { readonly kind: 'done'; readonly body: object }
  | FailedFuture;

/** Results that a client has read are kept for a while, because the reply may have been lost. These may have megabytes. */
const KEPT_READ = 64;
/** Other results are small, so a step that is sent again much later still has its result. */
const KEPT_DONE = 4096;
const KEPT_UNREAD = 4096;

export class Futures {
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #unread = new Map<string, Promise<FutureResult>>();
  readonly #read = new Map<string, Promise<FutureResult>>();
  readonly #readDone = new Map<string, Promise<FutureResult>>();

  constructor(clock: Clock, newId: () => string) {
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Keeps the result of `work` and returns its id; a rejection becomes a failed future. */
  add(work: Promise<FutureResult>): string {
    const requestId = this.#newId();
    put(this.#unread, requestId, work.catch(failureOf), KEPT_UNREAD);
    return requestId;
  }

  /** Undefined if the result does not come within the time, or if the signal is aborted. Throws an ApiError for an unknown id. */
  async wait(
    requestId: string,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<FutureResult | undefined> {
    const work = this.#unread.get(requestId) ?? this.#read.get(requestId) ?? this.#readDone.get(requestId);
    if (work === undefined)
      throw new ApiError(
        404,
        `The request '${requestId}' is unknown, or its result was read long ago. A request with the same seq_id gets this id again. A new seq_id runs it once more; for a forward_backward, this adds its gradient a second time.`,
        {
          type: 'not_found_error',
        },
      );
    const result = await within(work, milliseconds, this.#clock, signal);
    if (result === undefined || !this.#unread.delete(requestId)) return result;
    if (result.kind === 'trained' || result.kind === 'sampled') put(this.#read, requestId, work, KEPT_READ);
    else put(this.#readDone, requestId, work, KEPT_DONE);
    return result;
  }
}

function put<V>(map: Map<string, V>, key: string, value: V, limit: number): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) break;
    map.delete(oldest);
  }
}

/** The value of a promise, or undefined if the time is over or the signal is aborted first. */
export async function within<T>(
  work: Promise<T>,
  milliseconds: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  const done = new AbortController();
  const timeout = sleepUnlessAborted(clock, milliseconds, AbortSignal.any([done.signal, signal]));
  try {
    return await Promise.race([work, timeout.then(() => undefined)]);
  } finally {
    done.abort();
  }
}
