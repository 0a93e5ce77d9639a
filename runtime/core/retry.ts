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
  readonly signal?: AbortSignal | undefined;
  readonly backoff?: Backoff;
  /** Called before each delay. `failures` counts the failures in a row. It throws when a repetition is useless. */
  readonly failed: (error: Error, failures: number, delayMs: number) => unknown;
}

/** Repeats `work` until it succeeds. Rejects with the signal's reason when it is aborted first, and with the error that `failed` throws. */
export async function retry<T>(
  work: () => Promise<T>,
  { clock, signal, backoff, failed }: RetryOptions,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const delayMs = backoffMs(failures, backoff);
      await failed(asError(error), failures, delayMs);
      await clock.sleep(delayMs, signal);
    }
  }
}
