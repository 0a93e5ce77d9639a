// Opens the trajectories of this folder for a command: through its daemon if one runs, otherwise in this process. One process can have them
// open at a time.

import { join } from 'node:path';
import { FolderInUseError } from '../data/files/lock.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';
import { DialledDaemon } from '../server/daemon-client.ts';
import type { CliContext } from './context.ts';

/** A daemon that starts locks the folder, opens the index, which takes long after a crash, and then publishes its file. */
const LOCK_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;

interface WaysToOpen<Opened> {
  readonly throughDaemon: (daemon: DialledDaemon) => Opened;
  /** Called again while another process has the folder. */
  readonly here: () => Promise<Opened>;
}

/** `command` is the name that the daemon logs. */
export async function openInDaemonOrHere<Opened>(
  { folder, clock }: Pick<CliContext, 'folder' | 'clock'>,
  command: string,
  { throughDaemon, here }: WaysToOpen<Opened>,
): Promise<Opened> {
  const startedAt = clock.now();
  for (;;) {
    const found = await findDaemon(join(folder, DAEMON_FILE));
    if (found.kind === 'running') return throughDaemon(await DialledDaemon.dial(found.daemon, command));
    try {
      return await here();
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      if (clock.now() - startedAt >= LOCK_TIMEOUT_MS)
        throw new Error(
          `Another process has the trajectories of this folder open and published no address within ${LOCK_TIMEOUT_MS / 1000} s. If it is a daemon that rebuilds its index, repeat the command in a minute; if it is another command, when that has ended. Otherwise: ${error.message}`,
          { cause: error },
        );
    }
    await clock.sleep(POLL_INTERVAL_MS);
  }
}
