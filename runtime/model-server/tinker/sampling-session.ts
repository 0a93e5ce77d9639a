// A sampling session: weights under an id, the requests that sample from them, and the list of those that have ended.

import type { Clock } from '../../core/clock.ts';
import type { WeightVector } from '../../learner/micro/micro-trainer.ts';

import { type FutureResult, type Futures, within } from './futures.ts';
import { KnownRequests } from './known-requests.ts';

export interface SampledWeights {
  readonly weights: WeightVector;
  /** Where they were saved. Absent for those of the server, and for those of one session. */
  readonly path?: string;
}

interface Completion {
  readonly place: number;
  readonly requestId: string;
  readonly state: 'finished' | 'failed';
}

/** Copies of a client of the SDK count from multiples of this number. */
const NUMBERS_PER_CLIENT = 1_000_000_000;
const KEPT_COMPLETIONS = 4096;

export class SamplingSession {
  readonly id: string;
  readonly from: SampledWeights;
  readonly #futures: Futures;
  readonly #clock: Clock;
  readonly #known = new KnownRequests();
  /** By client. */
  readonly #completed = new Map<number, Completion[]>();
  #completions = 0;
  #clients = 0;
  /** Called at the next completion. */
  readonly #waiting = new Set<() => void>();

  constructor(id: string, from: SampledWeights, futures: Futures, clock: Clock) {
    this.id = id;
    this.from = from;
    this.#futures = futures;
    this.#clock = clock;
  }

  /** The number of a new client; the first one has 0. */
  join(): number {
    this.#clients += 1;
    return this.#clients;
  }

  /** Returns the id of the future. Throws an ApiError for a number that another request has. */
  submit(seqId: number | undefined, digest: string, work: () => Promise<FutureResult>): string {
    const known = seqId === undefined ? undefined : this.#known.find(seqId, digest);
    if (known !== undefined) return known;
    const running = work();
    const requestId = this.#futures.add(running);
    if (seqId !== undefined) this.#known.remember(seqId, digest, requestId);
    const client = Math.floor((seqId ?? 0) / NUMBERS_PER_CLIENT);
    running.then(
      () => this.#complete(client, requestId, 'finished'),
      () => this.#complete(client, requestId, 'failed'),
    );
    return requestId;
  }

  /** The completions behind the cursor; waits for one until the time is over or the signal is aborted. */
  async completedAfter(
    client: number,
    cursor: number,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<{ readonly completions: readonly Completion[]; readonly cursor: number }> {
    const seen = this.#completed.get(client) ?? [];
    // The client has read those up to the cursor.
    this.#completed.set(
      client,
      seen.filter(({ place }) => place > cursor),
    );
    if (this.#completed.get(client)?.length === 0 && milliseconds > 0) {
      let wake = (): void => {};
      const next = new Promise<void>(resolve => {
        wake = resolve;
      });
      this.#waiting.add(wake);
      await within(next, milliseconds, this.#clock, signal);
      this.#waiting.delete(wake);
    }
    const completions = this.#completed.get(client) ?? [];
    return { completions, cursor: completions.at(-1)?.place ?? cursor };
  }

  #complete(client: number, requestId: string, state: Completion['state']): void {
    this.#completions += 1;
    const list = this.#completed.get(client) ?? [];
    this.#completed.set(
      client,
      [...list, { place: this.#completions, requestId, state }].slice(-KEPT_COMPLETIONS),
    );
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
