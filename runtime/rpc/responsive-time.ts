import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { isDebugged } from './debugging.ts';

const TICK_MS = 1000;
const MAX_TICK_MS = 1500;

/**
 * Calls `tick` about once a second until the signal is aborted. `elapsedMs` is time during which this process was responsive: a late
 * tick counts for at most MAX_TICK_MS. While this process was suspended or blocked it could not hear its peers, so they are not to blame.
 * Time under a debugger does not count either.
 */
export async function tickWhileResponsive(
  clock: Clock,
  signal: AbortSignal,
  tick: (elapsedMs: number) => void,
): Promise<void> {
  for (let before = clock.now(); ; ) {
    await sleepUnlessAborted(clock, TICK_MS, signal);
    if (signal.aborted) return;
    const now = clock.now();
    tick(isDebugged() ? 0 : Math.min(Math.max(0, now - before), MAX_TICK_MS));
    before = now;
  }
}
