// Restarts the daemon of the folder, so that it gets a new environment. A training stops with a checkpoint and resumes afterwards, also after a
// restart that failed; a paused one is paused again. Other work that would end is named first.

import * as vscode from 'vscode';
import type { Clock } from '../../runtime/core/clock.ts';
import { type ListedRun, runsOfDaemon } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { DaemonClient } from './client.ts';
import { endedByRestart } from './ended-by-restart.ts';
import { stopDaemon } from './stop.ts';

export interface RestartOptions {
  readonly client: DaemonClient;
  readonly runs: RunStore;
  readonly folder: string;
  readonly clock: Clock;
}

/** The daemon also ends a collection and closes its files. */
const STOP_TIMEOUT_MS = 60_000;

/** One that does not answer, or an earlier version, is restarted all the same. */
async function endedWork(client: DaemonClient): Promise<string | undefined> {
  const [recorded, collected] = await Promise.all([
    client.request('record.now', {}).catch(() => ({})),
    client.request('collect.now', {}).catch(() => ({})),
  ]);
  return endedByRestart(recorded, collected);
}

const notExited = (pid: number): string =>
  `The Dartboard daemon (process ${pid}) did not exit within ${STOP_TIMEOUT_MS / 1000} s`;

async function mayKill(pid: number): Promise<boolean> {
  const end = 'End Process';
  const options = { modal: true, detail: 'Its trainings resume from their last checkpoint.' };
  const choice = await vscode.window.showWarningMessage(`${notExited(pid)}. End it?`, options, end);
  return choice === end;
}

export async function restartDaemon({ client, runs, folder, clock }: RestartOptions): Promise<void> {
  const ended = client.state.kind === 'connected' ? await endedWork(client) : undefined;
  const restart = 'Restart Anyway';
  if (ended !== undefined) {
    const options = { modal: true, detail: ended };
    if ((await vscode.window.showWarningMessage('Restart the daemon?', options, restart)) !== restart) return;
  }
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Restarting the Dartboard daemon',
  };
  await vscode.window.withProgress(progress, async () => {
    // The runs of a daemon that does not list them end with it. They can be resumed.
    const listed = await runs.refresh().then(
      () => runsOfDaemon(runs.list),
      () => [],
    );
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
      const pid = await stopDaemon(folder, STOP_TIMEOUT_MS, clock, mayKill);
      if (pid !== undefined)
        throw new Error(
          `${notExited(pid)}, so it keeps its old keys and settings. End process ${pid}, then try again. Resume Run continues a training that it stopped.`,
        );
    } catch (error) {
      // The reason of the failed restart matters more than one why a run does not resume.
      await resume().catch(() => undefined);
      throw error;
    }
    await resume();
    await client.ready();
  });
}
