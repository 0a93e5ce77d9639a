// Bounds how long a promise is awaited.

import type { Clock } from './clock.ts';
import { linked } from './run-together.ts';

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor(what: string, ms: number) {
    super(`${what} did not finish within ${ms / 1000} s.`);
  }
}

export interface Deadline {
  /** Names the work in the error. */
  readonly what: string;
  readonly ms: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Settles like `work`, unless the deadline or the signal comes first: then it rejects with DeadlineExceeded or with the
 * signal's reason. The signal that a function gets is aborted at the end. Other work continues, and its late result is ignored.
 */
export async function withDeadline<T>(
  work: Promise<T> | ((over: AbortSignal) => Promise<T>),
  { what, ms, clock, signal }: Deadline,
): Promise<T> {
  const { over, release } = linked(...(signal === undefined ? [] : [signal]));
  try {
    const begun = typeof work === 'function' ? work(over.signal) : work;
    const expired = clock.sleep(ms, over.signal).then((): never => {
      throw new DeadlineExceeded(what, ms);
    });
    return await Promise.race([begun, expired]);
  } finally {
    release();
    over.abort();
  }
}
