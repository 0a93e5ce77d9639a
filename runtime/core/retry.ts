// Exponential backoff, and the one loop that uses it.

import type { Clock } from './clock.ts';
import { asError } from './errors.ts';

/** The delay doubles with each failure in a row, up to a maximum. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 1000, maxMs: 60_000 };

/** The delay after so many failures in a row; 0 after none. */
export const backoffMs = (failures: number, { firstMs, maxMs }: Backoff = DEFAULT_BACKOFF): number =>
  failures === 0 ? 0 : Math.min(maxMs, firstMs * 2 ** (failures - 1));

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly backoff?: Backoff;
  /** Unlimited by default. */
  readonly maxAttempts?: number;
  readonly isRetryable?: (error: unknown) => boolean;
  /** Called before each delay. `failures` counts the failures in a row. */
  readonly failed?: (error: Error, failures: number, delayMs: number) => void;
}

/** Repeats `work` until it succeeds. Rejects with its last error, or with the signal's reason when it is aborted first. */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, signal, backoff, maxAttempts = Infinity, isRetryable = () => true, failed } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= maxAttempts || !isRetryable(error)) throw error;
      const delayMs = backoffMs(attempt, backoff);
      failed?.(asError(error), attempt, delayMs);
      await clock.sleep(delayMs, signal);
    }
  }
}
