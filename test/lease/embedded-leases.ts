// Leases within one process, by its clock: a second queue behind the contract, for tests and simulations without a broker.

import { type Clock, sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { linked } from '../../runtime/core/run-together.ts';
import {
  type LeaseCount,
  LeaseLost,
  type LeaseQueue,
  MEMORY_MS,
  type WorkLease,
} from '../../runtime/lease/lease.ts';

export interface EmbeddedLeaseOptions {
  readonly ttlMs: number;
  readonly clock: Clock;
}

interface Piece<T> {
  readonly id: string;
  readonly number: number;
  readonly work: T;
  attempt: number;
  untouched: number;
  /** The attempt that can complete the work. Undefined before the first one, and after a failure. */
  holder: number | undefined;
  /** When its lease expires. Undefined while the work waits. */
  deadline: number | undefined;
}

/** `abort()` without a reason makes an error with a stack trace. */
const CHANGED = 'the queue has changed';

export class EmbeddedLeaseQueue<T> implements LeaseQueue<T> {
  readonly ttlMs: number;
  readonly #clock: Clock;
  /** All work that is not completed. */
  readonly #pieces = new Map<string, Piece<T>>();
  /** Ordered by number: work that returned has a lower number than work that was never leased. */
  readonly #waiting: Piece<T>[] = [];
  /** When each piece was completed, by which attempt; the oldest first. */
  readonly #completed = new Map<string, { readonly attempt: number; readonly at: number }>();
  #numbers = 0;
  /** Aborted when work begins to wait. */
  #changed = new AbortController();

  constructor({ ttlMs, clock }: EmbeddedLeaseOptions) {
    this.ttlMs = ttlMs;
    this.#clock = clock;
  }

  async put(id: string, work: T): Promise<void> {
    this.#forget();
    if (this.#pieces.has(id) || this.#completed.has(id)) return;
    const number = this.#numbers++;
    const waiting = { attempt: 0, untouched: 0, holder: undefined, deadline: undefined };
    const piece: Piece<T> = { id, number, work, ...waiting };
    this.#pieces.set(id, piece);
    this.#wait(piece);
  }

  async claim(signal?: AbortSignal): Promise<WorkLease<T>> {
    for (;;) {
      signal?.throwIfAborted();
      const lease = this.#next();
      if (lease !== undefined) return lease;
      const { signal: changed } = this.#changed;
      const { over, release } = linked(...(signal === undefined ? [changed] : [changed, signal]));
      await sleepUnlessAborted(this.#clock, this.#untilExpiry(), over.signal);
      release();
    }
  }

  async tryClaim(): Promise<WorkLease<T> | undefined> {
    return this.#next();
  }

  async count(): Promise<LeaseCount> {
    this.#expire();
    const waiting = this.#waiting.length;
    return { waiting, leased: this.#pieces.size - waiting };
  }

  #next(): WorkLease<T> | undefined {
    this.#expire();
    const piece = this.#waiting.shift();
    if (piece === undefined) return undefined;
    piece.attempt += 1;
    piece.holder = piece.attempt;
    piece.deadline = this.#clock.now() + this.ttlMs;
    return this.#lease(piece, piece.attempt);
  }

  #lease(piece: Piece<T>, attempt: number): WorkLease<T> {
    const { id, work, untouched } = piece;
    const owned = (): Piece<T> => {
      if (piece.holder !== attempt || this.#pieces.get(id) !== piece) throw new LeaseLost(id, attempt);
      return piece;
    };
    let hasFailed = false;
    return {
      ...{ id, work, attempt, untouched },
      heartbeat: async () => {
        this.#stopWaiting(owned());
        piece.deadline = this.#clock.now() + this.ttlMs;
      },
      complete: async () => {
        if (this.#completed.get(id)?.attempt === attempt) return;
        this.#stopWaiting(owned());
        this.#pieces.delete(id);
        this.#completed.set(id, { attempt, at: this.#clock.now() });
      },
      fail: async how => {
        if (hasFailed) return;
        this.#stopWaiting(owned());
        hasFailed = true;
        if (how === 'untouched') piece.untouched += 1;
        piece.holder = undefined;
        this.#wait(piece);
      },
    };
  }

  #wait(piece: Piece<T>): void {
    piece.deadline = undefined;
    const place = this.#waiting.findLastIndex(({ number }) => number < piece.number) + 1;
    this.#waiting.splice(place, 0, piece);
    this.#changed.abort(CHANGED);
    this.#changed = new AbortController();
  }

  #stopWaiting(piece: Piece<T>): void {
    const place = this.#waiting.indexOf(piece);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  #expire(): void {
    const now = this.#clock.now();
    for (const piece of this.#pieces.values())
      if (piece.deadline !== undefined && piece.deadline <= now) this.#wait(piece);
  }

  #untilExpiry(): number {
    let first = this.#clock.now() + this.ttlMs;
    for (const { deadline = first } of this.#pieces.values()) first = Math.min(first, deadline);
    return first - this.#clock.now();
  }

  #forget(): void {
    const oldest = this.#clock.now() - MEMORY_MS;
    for (const [id, { at }] of this.#completed) {
      if (at > oldest) return;
      this.#completed.delete(id);
    }
  }
}
