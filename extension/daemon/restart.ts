// Restarts the daemon of the folder, so that it gets a new environment. A training stops with a checkpoint and resumes afterwards, also after a
// restart that failed; a paused one is paused again. Other work that would end is named first.

import { type ListedRun, runsOfDaemon } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { DaemonClient } from './client.ts';
import { endedByRestart } from './ended-by-restart.ts';

interface RestartOptions {
  readonly client: Pick<DaemonClient, 'state' | 'request' | 'ready'>;
  readonly runs: Pick<RunStore, 'list' | 'refresh'>;
  /** Whether the folder has a daemon. */
  readonly hasDaemon: () => Promise<boolean>;
  /** Asks whether to end this work. */
  readonly mayEnd: (work: string) => Promise<boolean>;
  /** Rejects if the daemon does not exit. */
  readonly stop: () => Promise<void>;
}

/** One that does not answer, or an earlier version, is restarted all the same. */
async function endedWork(client: RestartOptions['client']): Promise<string | undefined> {
  const [recorded, collected, presorted] = await Promise.all([
    client.request('record.now', {}).catch(() => ({})),
    client.request('collect.now', {}).catch(() => ({})),
    client.request('presort.now', {}).catch(() => ({})),
  ]);
  return endedByRestart(recorded, collected, presorted);
}

export async function restartDaemon(options: RestartOptions): Promise<void> {
  const { client, runs, hasDaemon, mayEnd, stop } = options;
  // A daemon that this window starts has no file yet, and has the old environment.
  if (client.state.kind !== 'starting' && !(await hasDaemon())) return client.ready();
  // The runs of a daemon that does not list them end with it. They can be resumed.
  const listed = await runs.refresh().then(
    () => runsOfDaemon(runs.list),
    () => [],
  );
  // The client may have been disconnected until the runs were listed.
  const ended = client.state.kind === 'connected' ? await endedWork(client) : undefined;
  if (ended !== undefined && !(await mayEnd(ended))) return;
  const stopped: ListedRun[] = [];
  const resume = async () => {
    for (const { run, status } of stopped) {
      await client.request('run.resume', { run });
      if (status === 'paused') await client.request('run.pause', { run });
    }
  };
  try {
    for (const each of listed) {
      await client.request('run.stop', { run: each.run });
      stopped.push(each);
    }
    await stop();
  } catch (error) {
    // The reason of the failed restart matters more than one why a run does not resume.
    await resume().catch(() => undefined);
    throw error;
  }
  await resume();
  await client.ready();
}
