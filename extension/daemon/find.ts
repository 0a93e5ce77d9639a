// Reads the file by which a daemon is found. One that a killed daemon left counts as none.

import { readFile } from 'node:fs/promises';
import { type DaemonAddress, daemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { thisMachine, whereabouts } from '../../runtime/protocol/presence.ts';

export async function findDaemon(file: string): Promise<DaemonAddress | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  const daemon = text === undefined ? undefined : parsed(text);
  return daemon !== undefined && whereabouts(daemon, thisMachine) === 'there' ? daemon : undefined;
}

function parsed(text: string): DaemonAddress | undefined {
  try {
    return daemonAddress.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
