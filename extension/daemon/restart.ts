// Restarts the daemon of the folder, so that it gets a new environment. A training stops with a checkpoint and resumes afterwards.

import * as vscode from 'vscode';
import type { Clock } from '../../runtime/core/clock.ts';
import { trainingRuns } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { DaemonClient } from './client.ts';
import { stopDaemon } from './stop.ts';

export interface RestartOptions {
  readonly client: DaemonClient;
  readonly runs: RunStore;
  readonly folder: string;
  readonly clock: Clock;
}

/** The daemon also ends a collection and closes its files. */
const STOP_TIMEOUT_MS = 60_000;

export async function restartDaemon({ client, runs, folder, clock }: RestartOptions): Promise<void> {
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Restarting the Dartboard daemon',
  };
  await vscode.window.withProgress(progress, async () => {
    await runs.refresh();
    const training = trainingRuns(runs.list);
    for (const run of training) await client.request('run.stop', { run });
    if (!(await stopDaemon(folder, STOP_TIMEOUT_MS, clock)))
      throw new Error(
        `The Dartboard daemon did not exit within ${STOP_TIMEOUT_MS / 1000} s, so it keeps its old keys and settings. Reload the window, then try again.`,
      );
    for (const run of training) await client.request('run.resume', { run });
    await client.ready();
  });
}
