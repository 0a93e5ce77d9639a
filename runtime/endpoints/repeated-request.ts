// A single request with a few more attempts, for questions about a server. The router has its own rules.

import type { Clock } from '../core/clock.ts';
import { backoffMs } from '../core/retry.ts';
import { EndpointError, isTemporary } from './failure.ts';

const MAX_ATTEMPTS = 3;
const MAX_DELAY_MS = 30_000;

/** Repeats a request that failed for a temporary cause, with pauses as long as the server asks for. */
export async function repeated<T>(send: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EndpointError) || !isTemporary(error.reason) || failures >= MAX_ATTEMPTS)
        throw error;
      const delay = Math.max(backoffMs(failures, { firstMs: 500, maxMs: MAX_DELAY_MS }), error.delayMs ?? 0);
      await clock.sleep(Math.min(delay, MAX_DELAY_MS), signal);
    }
  }
}
