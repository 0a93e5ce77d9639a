// How clients find a daemon that runs: a file in the workspace with its port and its token, which only its owner may read. It goes
// with the daemon; one that a killed daemon left is recognised.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../core/errors.ts';
import { processStatus, thisProcess } from '../core/process-identity.ts';
import { renamed } from '../data/files/rename-retry.ts';
import { type DaemonAddress, daemonAddress } from '../protocol/daemon/daemon-file.ts';

/** What the file says of the daemon: nothing, that one runs, or that one was killed. */
export type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly daemon: DaemonAddress }
  | { readonly kind: 'stale'; readonly why: string };

export async function findDaemon(file: string, machine = thisProcess()): Promise<Found> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return { kind: 'none' };
  const daemon = parsed(text);
  if (daemon === undefined) return { kind: 'stale', why: `'${file}' is not the file of a daemon` };
  const where = processStatus(daemon, machine);
  if (where === 'elsewhere')
    return {
      kind: 'stale',
      why: `the daemon with the pid ${daemon.pid} runs elsewhere, if at all (${daemon.place})`,
    };
  if (where === 'ended') return { kind: 'stale', why: `the daemon with the pid ${daemon.pid} is gone` };
  return { kind: 'running', daemon };
}

/** There is one at most in a workspace. */
export async function refuseSecond(file: string, machine = thisProcess()): Promise<void> {
  const found = await findDaemon(file, machine);
  if (found.kind !== 'running' || found.daemon.pid === machine.pid) return;
  const { pid, port } = found.daemon;
  throw new Error(
    `A daemon runs here already (pid ${pid}, port ${port}): use it, stop it, or delete '${file}' if that is no daemon.`,
  );
}

/** Resolves with what takes the file away again, unless another daemon has written its own by then. */
export async function publishDaemon(file: string, daemon: DaemonAddress): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  await hideFromHistory(dirname(file));
  const unfinished = `${file}.${daemon.pid}.unfinished`;
  // A file that is there already would keep its own mode.
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${JSON.stringify(daemon, undefined, 2)}\n`, { mode: 0o600, flush: true });
  await renamed(unfinished, file);
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (parsed(text)?.token === daemon.token) await rm(file, { force: true });
  };
}

/** The token is for no workspace's history. Who has said already what to ignore there keeps it. */
async function hideFromHistory(folder: string): Promise<void> {
  await writeFile(join(folder, '.gitignore'), 'daemon.json*\n', { flag: 'wx' }).catch(
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
