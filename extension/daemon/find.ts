// Reads the discovery file of the daemon. The file of a daemon that no longer runs counts as absent.

import { readFile } from 'node:fs/promises';
import { localObserver, processStatus } from '../../runtime/core/process-identity.ts';
import { type DaemonAddress, daemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';

export async function findDaemon(file: string): Promise<DaemonAddress | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  const daemon = text === undefined ? undefined : parsed(text);
  return daemon !== undefined && processStatus(daemon, localObserver()) === 'running' ? daemon : undefined;
}

function parsed(text: string): DaemonAddress | undefined {
  try {
    return daemonAddress.safeParse(JSON.parse(text)).data;
  } catch {
    // A daemon that was killed while it wrote left half a file.
    return undefined;
  }
}
