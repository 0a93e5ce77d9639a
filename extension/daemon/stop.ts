// Ends the daemon of a folder and waits for it.

import type { Clock } from '../../runtime/core/clock.ts';
import { localObserver, processStatus } from '../../runtime/core/process-identity.ts';
import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { connectTo, daemonOf } from './folder-client.ts';
import { isDaemon } from './is-daemon.ts';

const POLL_INTERVAL_MS = 50;

/** Returns false if the daemon still runs after `timeoutMs`. */
export async function stopDaemon(folder: string, timeoutMs: number, clock: Clock): Promise<boolean> {
  const daemon = await daemonOf(folder);
  if (daemon === undefined || !(await isRunning(daemon))) return true;
  process.kill(daemon.pid);
  const deadline = clock.now() + timeoutMs;
  // Its process, not its file: it releases its other files last.
  while (processStatus(daemon, localObserver()) === 'running') {
    if (clock.now() >= deadline) return false;
    await clock.sleep(POLL_INTERVAL_MS);
  }
  return true;
}

const isRunning = (daemon: DaemonAddress): Promise<boolean> =>
  new Promise(resolve => {
    const connection = connectTo(daemon, {
      welcomed: () => {
        connection.close();
        resolve(true);
      },
      message: () => undefined,
      frame: () => undefined,
      closed: cause =>
        resolve(isDaemon(daemon, cause) && processStatus(daemon, localObserver()) === 'running'),
    });
  });
