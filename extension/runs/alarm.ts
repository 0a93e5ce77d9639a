// A run that breaks off needs a decision: whether it goes on. Nothing else is worth interrupting somebody for.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import { allRuns, isLive } from './known.ts';
import type { Runs } from './runs.ts';

export function activateAlarm(runs: Runs): vscode.Disposable {
  const { t } = vscode.l10n;
  let live = new Set<string>();
  return runs.onChange(() => {
    const all = allRuns(runs.known);
    // Only what the daemon told just now: a run that a crash broke off goes on by itself.
    const { states } = runs.known;
    const failed = all.filter(({ run }) => states.get(run)?.status === 'failed' && live.has(run));
    live = new Set(all.filter(({ status }) => isLive(status)).map(({ run }) => run));
    for (const { run, message = '' } of failed) {
      const [goOn, log] = [t('Resume'), t('Show Log')];
      void vscode.window
        .showErrorMessage(t("The run '{0}' broke off. {1}", run, message), goOn, log)
        .then(chosen => {
          if (chosen === goOn) void vscode.commands.executeCommand(COMMANDS.resume, { run });
          if (chosen === log) void vscode.commands.executeCommand(COMMANDS.showLog);
        });
    }
  });
}
