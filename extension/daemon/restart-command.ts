// `Restart Daemon`: the questions and the progress of restart.ts in VS Code.

import * as vscode from 'vscode';
import type { Clock } from '../../runtime/core/clock.ts';
import { COMMANDS } from '../commands.ts';
import type { FolderServices } from '../folder-services.ts';
import { daemonOf } from './folder-client.ts';
import { restartDaemon } from './restart.ts';
import { stopDaemon } from './stop.ts';

interface Options extends FolderServices {
  readonly folder: string;
  readonly clock: Clock;
}

/** The daemon also ends a collection and closes its files. */
const STOP_TIMEOUT_MS = 60_000;

const notExited = (pid: number): string =>
  `The Dartboard daemon (process ${pid}) did not exit within ${STOP_TIMEOUT_MS / 1000} s`;

async function mayKill(pid: number): Promise<boolean> {
  const end = 'End Process';
  const options = { modal: true, detail: 'Its trainings resume from their last checkpoint.' };
  const choice = await vscode.window.showWarningMessage(`${notExited(pid)}. End it?`, options, end);
  return choice === end;
}

async function mayEnd(work: string): Promise<boolean> {
  const restart = 'Restart Anyway';
  const options = { modal: true, detail: work };
  return (await vscode.window.showWarningMessage('Restart the daemon?', options, restart)) === restart;
}

export function activateRestart({ client, runs, commands, folder, clock }: Options): void {
  const hasDaemon = async () => (await daemonOf(folder)) !== undefined;
  const stop = async () => {
    const pid = await stopDaemon(folder, STOP_TIMEOUT_MS, clock, mayKill);
    if (pid !== undefined)
      throw new Error(
        `${notExited(pid)}, so it keeps its old keys and settings. End process ${pid}, then try again. Resume Run continues a training that it stopped.`,
      );
  };
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Restarting the Dartboard daemon',
  };
  const restart = () => restartDaemon({ client, runs, hasDaemon, mayEnd, stop });
  commands.on(COMMANDS.restartDaemon, async () => vscode.window.withProgress(progress, restart));
}
