// daemon.json tells clients the port and the token of a running daemon. Only its owner can read it. The daemon deletes it at its end; the
// file of a killed daemon is recognised as stale.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { thisProcess } from '../core/process-identity.ts';
import { renameWithRetry } from '../data/files/rename-retry.ts';
import type { DaemonAddress } from '../protocol/daemon/daemon-file.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';

/** A workspace has at most one daemon. */
export async function refuseSecond(file: string, machine = thisProcess()): Promise<void> {
  const found = await findDaemon(file, machine);
  if (found.kind !== 'running' || found.daemon.pid === machine.pid) return;
  const { pid, port } = found.daemon;
  throw new Error(
    `A daemon already runs in this folder (pid ${pid}, port ${port}). Use it or stop it. If pid ${pid} is not a daemon, delete '${file}'.`,
  );
}

/** Resolves with a function that deletes the file only if its content is unchanged: another server may use the same token. */
export async function publishDaemon(file: string, daemon: DaemonAddress): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  await ignoreInGit(dirname(file));
  const unfinished = `${file}.${daemon.pid}.unfinished`;
  // An existing file would keep its mode.
  await rm(unfinished, { force: true });
  const text = `${JSON.stringify(daemon, undefined, 2)}\n`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await renameWithRetry(unfinished, file);
  return async () => {
    // A file that is missing or unreadable is not the daemon's own any more.
    const current = await readFile(file, 'utf8').catch(() => '');
    if (current === text) await rm(file, { force: true });
  };
}

const IGNORED = 'daemon.json*\nplay.json*\nmodel.json*\n';
/** Written by earlier versions. */
const EARLIER_IGNORED = 'daemon.json*\nplay.json*\n';

/** Keeps the token out of version control. A .gitignore that a user wrote is left as it is. */
async function ignoreInGit(folder: string): Promise<void> {
  const file = join(folder, '.gitignore');
  // A missing file is written below.
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing === EARLIER_IGNORED) return await writeFile(file, IGNORED);
  await writeFile(file, IGNORED, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
