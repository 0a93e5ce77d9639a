// Deletes a run. A daemon of the workspace deletes it, since its pages and its index contain the run's trajectories. It need not list the
// run, whose run.json may be damaged.

import { join } from 'node:path';
import { runId } from '../core/ids.ts';
import { thisProcess } from '../core/process-identity.ts';
import { FolderLock } from '../data/files/lock.ts';
import { LOCK } from '../data/files/places.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';
import type { RunFolders } from '../run/folders/run-folders.ts';
import { DialledDaemon } from '../server/daemon-client.ts';
import type { CliContext } from './context.ts';
import { findRun } from './find-run.ts';

export async function deleteRun(
  { folder, clock, output }: Pick<CliContext, 'folder' | 'clock' | 'output'>,
  folders: Pick<RunFolders, 'root' | 'list' | 'delete'>,
  name: string,
  withPool: boolean,
): Promise<void> {
  const { runs, damaged } = await folders.list();
  const { run } = findRun([...runs, ...damaged], name);
  if (!(await deleteInDaemon(folder, run, withPool))) {
    await refuseWhileUsed(folders.root, run);
    for (const why of await folders.delete(runId(run), clock.now(), { withPool })) output.write(`${why}\n`);
  }
  output.write(`Run '${run}' is deleted.\n`);
}

/** Returns false where no daemon of this workspace runs. */
async function deleteInDaemon(folder: string, run: string, withPool: boolean): Promise<boolean> {
  const found = await findDaemon(join(folder, DAEMON_FILE));
  if (found.kind !== 'running') return false;
  const daemon = await DialledDaemon.dial(found.daemon, 'dartboard runs');
  try {
    await daemon.ask('run.delete', { run, ...(withPool && { withPool }) });
    return true;
  } finally {
    daemon.close();
  }
}

/** Another command may play with the weights of the run, and store trajectories in its folder. */
async function refuseWhileUsed(root: string, run: string): Promise<void> {
  const file = join(root, LOCK);
  const holder = await new FolderLock(file, 'this folder', thisProcess()).holder();
  if (holder === undefined) return;
  throw new Error(
    `Cannot delete the run '${run}': the process ${holder.pid} (${holder.place}) uses the trajectories of '${root}'. Wait until it ends, or end it, and delete the run again.`,
  );
}
