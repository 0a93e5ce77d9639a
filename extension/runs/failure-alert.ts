// Notifies the user when a live run fails, because only the user decides whether it resumes, and when a run does not resume automatically.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import { isLive, listedRuns } from './run-list.ts';
import type { RunStore } from './run-store.ts';

export function activateFailureAlert(runs: RunStore): vscode.Disposable {
  let live = new Set<string>();
  return runs.onChange(() => {
    const listed = listedRuns(runs.list);
    // Only states that the daemon has just sent: a run that a crash interrupted resumes without the user.
    const { states } = runs.list;
    const failed = listed.filter(({ run }) => states.get(run)?.status === 'failed' && live.has(run));
    live = new Set(listed.filter(({ status }) => isLive(status)).map(({ run }) => run));
    for (const { run, message } of failed) void showFailure(run, message);
  });
}

export async function showFailure(
  run: string,
  message = 'The daemon gave no reason.',
  canResume = true,
): Promise<void> {
  const [resume, showLog] = ['Resume', 'Show Log'];
  const text = `The run '${run}' failed. ${message}`;
  const choice = await vscode.window.showErrorMessage(text, ...(canResume ? [resume] : []), showLog);
  if (choice === resume) await vscode.commands.executeCommand(COMMANDS.resume, { run });
  if (choice === showLog) await vscode.commands.executeCommand(COMMANDS.showLog);
}
