// Ends the daemon of a folder and waits for it.

import type { Clock } from '../../runtime/core/clock.ts';
import { localObserver, processStatus } from '../../runtime/core/process-identity.ts';
import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { endProcess } from './end-process.ts';
import { connectTo, daemonOf } from './folder-client.ts';
import { isDaemon } from './is-daemon.ts';

/** Returns the pid of a daemon that still runs. `mayKill` is called if it has not exited after `timeoutMs`. */
export async function stopDaemon(
  folder: string,
  timeoutMs: number,
  clock: Clock,
  mayKill: (pid: number) => Promise<boolean> = async () => false,
): Promise<number | undefined> {
  const daemon = await daemonOf(folder);
  if (daemon === undefined || !(await isRunning(daemon))) return undefined;
  const { pid } = daemon;
  const daemonProcess = {
    // Its process, not its file: it releases its other files last.
    isRunning: () => isAlive(daemon),
    signal: (name: NodeJS.Signals) => void process.kill(pid, name),
  };
  const hasEnded = await endProcess(daemonProcess, { clock, timeoutMs, mayKill: () => mayKill(pid) });
  return hasEnded ? undefined : pid;
}

const isAlive = (daemon: DaemonAddress): boolean => processStatus(daemon, localObserver()) === 'running';

const isRunning = (daemon: DaemonAddress): Promise<boolean> =>
  new Promise(resolve => {
    const connection = connectTo(daemon, {
      welcomed: () => {
        connection.close();
        resolve(true);
      },
      message: () => undefined,
      frame: () => undefined,
      closed: cause => resolve(isDaemon(daemon, cause) && isAlive(daemon)),
    });
  });
