// daemon.json tells clients the port and the token of a running daemon. Only its owner can read it. The daemon deletes it at its end; the
// file of a killed daemon is recognised as stale.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../core/errors.ts';
import { processStatus, thisProcess } from '../core/process-identity.ts';
import { renameWithRetry } from '../data/files/rename-retry.ts';
import { type DaemonAddress, daemonAddress } from '../protocol/daemon/daemon-file.ts';

/** No daemon, a running one, or one that was killed. */
export type FoundDaemon =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly daemon: DaemonAddress }
  | { readonly kind: 'stale'; readonly why: string };

export async function findDaemon(file: string, machine = thisProcess()): Promise<FoundDaemon> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return { kind: 'none' };
  const daemon = parsed(text);
  if (daemon === undefined) return { kind: 'stale', why: `'${file}' is not a daemon's file` };
  const where = processStatus(daemon, machine);
  if (where === 'elsewhere')
    return {
      kind: 'stale',
      why: `the daemon with pid ${daemon.pid} belongs to another machine or container (${daemon.place})`,
    };
  if (where === 'ended') return { kind: 'stale', why: `the daemon with pid ${daemon.pid} no longer runs` };
  return { kind: 'running', daemon };
}

/** A workspace has at most one daemon. */
export async function refuseSecond(file: string, machine = thisProcess()): Promise<void> {
  const found = await findDaemon(file, machine);
  if (found.kind !== 'running' || found.daemon.pid === machine.pid) return;
  const { pid, port } = found.daemon;
  throw new Error(
    `A daemon already runs in this folder (pid ${pid}, port ${port}). Use it or stop it. If pid ${pid} is not a daemon, delete '${file}'.`,
  );
}

/** Resolves with a function that deletes the file, unless another daemon has replaced it. */
export async function publishDaemon(file: string, daemon: DaemonAddress): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  await ignoreInGit(dirname(file));
  const unfinished = `${file}.${daemon.pid}.unfinished`;
  // An existing file would keep its mode.
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${JSON.stringify(daemon, undefined, 2)}\n`, { mode: 0o600, flush: true });
  await renameWithRetry(unfinished, file);
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (parsed(text)?.token === daemon.token) await rm(file, { force: true });
  };
}

/** Keeps the token out of version control. An existing .gitignore is left as it is. */
async function ignoreInGit(folder: string): Promise<void> {
  await writeFile(join(folder, '.gitignore'), 'daemon.json*\nplay.json*\n', { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}

function parsed(text: string): DaemonAddress | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return daemonAddress.safeParse(value).data;
}
