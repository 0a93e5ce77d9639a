// One trainer at a time owns the checkpoints of a run. When a daemon is killed, its trainer still saves its updates while another daemon may
// already resume the run. The next trainer waits until the last one has ended.

import type { Clock } from '../../core/clock.ts';
import { FolderInUseError, type FolderLock } from '../../data/files/lock.ts';

/** A trainer without its daemon ends within ten seconds. After that, another process has its process id. */
const WAIT_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 100;

/** Resolves when this process has the lock. `clear` removes the lock of a trainer that must have ended. */
export async function acquireTrainerLock(
  lock: Pick<FolderLock, 'take'>,
  clear: () => Promise<void>,
  clock: Clock,
): Promise<void> {
  const end = clock.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    try {
      return await lock.take(clock.now());
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
    }
    if (clock.now() >= end) await clear();
    else await clock.sleep(POLL_INTERVAL_MS);
  }
}
