// Bounds how long a promise is awaited.

import type { Clock } from './clock.ts';

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
 * signal's reason. The work itself continues, and its late result is ignored.
 */
export async function withDeadline<T>(work: Promise<T>, { what, ms, clock, signal }: Deadline): Promise<T> {
  const settled = new AbortController();
  const stop = signal === undefined ? settled.signal : AbortSignal.any([settled.signal, signal]);
  const expired = clock.sleep(ms, stop).then((): never => {
    throw new DeadlineExceeded(what, ms);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    settled.abort();
  }
}
