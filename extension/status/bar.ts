// The item in the status bar, while there is something to say. A click opens the training, or the log where something is wrong.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { liveRun } from '../runs/known.ts';
import type { Runs } from '../runs/runs.ts';
import { statusOf } from './status.ts';

export function activateStatus(client: DaemonClient, runs: Runs): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('dartboard.status', vscode.StatusBarAlignment.Left, 50);
  item.name = 'Dartboard';
  const show = (): void => {
    const status = statusOf(client.state, runs.known, runs.life, vscode.l10n.t);
    if (status === undefined) {
      item.hide();
      return;
    }
    item.text = status.text;
    item.tooltip = status.says.join('\n');
    const live = liveRun(runs.known);
    // What it speaks of is shown, whichever run somebody looked at last.
    const on = live === undefined ? [] : [{ run: live.run }];
    const opens = { command: COMMANDS.openTraining, title: '', arguments: on };
    item.command = client.state.kind === 'failed' ? COMMANDS.showLog : opens;
    item.backgroundColor = status.isWrong
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    item.accessibilityInformation = { label: ['Dartboard', ...status.says].join('. '), role: 'button' };
    item.show();
  };
  show();
  return vscode.Disposable.from(item, runs.onChange(show));
}
