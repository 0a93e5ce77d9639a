// Virtual time beside real processes and threads.

import type { VirtualClock } from '../runtime/core/virtual-clock.ts';

/** Lets virtual time pass until something holds; resolves with the milliseconds that passed. Real processes and threads get time to act. */
export async function passUntil(clock: VirtualClock, holds: () => boolean): Promise<number> {
  const before = clock.now();
  while (!holds()) {
    await clock.run(clock.now() + 250);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  return clock.now() - before;
}
