// Work that hosts lease, and the laws of its queues. Every implementation keeps them; test/lease has them as a suite.

/**
 * A queue of work that survives the end of its holders. Laws:
 * - Work that was never leased leaves first in, first out. Work that returned leaves before it.
 * - Work has one id. Adding the same id again changes nothing, also after the work was completed.
 * - A claim starts a lease with the next attempt; attempts count from 1. At most one lease of a piece of work is valid at a time: the one
 *   with the highest attempt.
 * - Work returns when its lease fails, or when no heartbeat arrived for `ttlMs` by the clock of the server. Until somebody claims it, the
 *   holder of an expired lease can still heartbeat, complete and fail. That is safe, and saves work.
 * - Only the valid lease can complete or fail its work: `attempt` is a fencing token. All others get LeaseLost and change nothing.
 * - Completed work never returns.
 * - Calls may be repeated after a lost reply: the first one counts, and the repetition has the same result. A `fail` whose reply was lost may
 *   get LeaseLost once somebody else has claimed the work.
 *
 * A queue forgets the id and the attempts of a piece of work that nobody touched for `MEMORY_MS`. It never forgets the work.
 */
export interface LeaseQueue<T> {
  readonly ttlMs: number;
  put(id: string, work: T): Promise<void>;
  /** The next work. Waits until there is some; rejects with the signal's reason when it is aborted first, and then leases nothing. */
  claim(signal?: AbortSignal): Promise<WorkLease<T>>;
  /** The next work, if there is some. Undefined also while work is on its way back from a claim that was aborted. */
  tryClaim(): Promise<WorkLease<T> | undefined>;
  count(): Promise<LeaseCount>;
}

/** A holder sends heartbeats at least three times within `ttlMs`. */
export interface WorkLease<T> {
  readonly id: string;
  readonly work: T;
  readonly attempt: number;
  /** Earlier attempts that their holders returned as untouched. */
  readonly untouched: number;
  /** Starts `ttlMs` anew. */
  heartbeat(): Promise<void>;
  complete(): Promise<void>;
  /** Returns the work at once. `untouched`: as if it had not been claimed; only the count remains. */
  fail(how?: 'untouched'): Promise<void>;
}

/**
 * The sum is the number of pieces that are not completed. Work that returned may count as leased until it is claimed again. A server that was
 * killed may go on counting some completed work as leased.
 */
export interface LeaseCount {
  readonly waiting: number;
  readonly leased: number;
}

/** Longer than a broker is away: its records of held leases expire meanwhile, and hosts keep playing. */
export const MEMORY_MS = 3_600_000;

/** Somebody else has the work, or it is done. The holder stops and discards what it did. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(id: string, attempt: number) {
    super(
      `Attempt ${attempt} at '${id}' does not count: its lease has ended, and the work was returned, claimed again or completed. Discard the result.`,
    );
  }
}

/** The queue was removed, or the connection to its server is closed. */
export class LeaseQueueClosed extends Error {
  override readonly name = 'LeaseQueueClosed';
}
