// One trainer at a time has the checkpoints of a run. Where a daemon was killed, its trainer still keeps what it learned, while another
// daemon may go on with the run already: the next trainer waits until the last one is gone.

import type { Clock } from '../core/clock.ts';
import { FolderInUseError, type FolderLock } from '../data/files/lock.ts';

/** Milliseconds. Who has lost its daemon ends within ten seconds; whoever seems to be there after that only has its number. */
const MOST = 15_000;
const LOOK_EVERY = 100;

/** Resolves once the turn is this process's, until it lets go or ends; `clear` removes the lock of who only seems to be there. */
export async function acquireTrainerLock(
  lock: Pick<FolderLock, 'take'>,
  clear: () => Promise<void>,
  clock: Clock,
): Promise<void> {
  const end = clock.now() + MOST;
  for (;;) {
    try {
      return await lock.take(clock.now());
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
    }
    if (clock.now() >= end) await clear();
    else await clock.sleep(LOOK_EVERY);
  }
}
