// Heartbeats of a session: a server frees the models of a session that sends none for some minutes.

import type { Clock } from '../../core/clock.ts';
import { isTinkerError } from './tinker-error.ts';

const HEARTBEAT_MS = 10_000;

/** Sends until the signal is aborted. A heartbeat that fails is not repeated: the next one follows, and the next request finds out. */
export async function sendHeartbeats(
  heartbeat: (signal: AbortSignal) => Promise<void>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleep(HEARTBEAT_MS, signal);
      await heartbeat(signal);
    } catch (error) {
      if (!signal.aborted && !isTinkerError(error)) throw error;
    }
  }
}
