// The status bar item. A click opens the panel Training, or the log after an error.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { liveRun } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import { statusOf } from './status.ts';

export function activateStatusBar(client: DaemonClient, runs: RunStore): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('dartboard.status', vscode.StatusBarAlignment.Left, 50);
  item.name = 'Dartboard';
  const update = (): void => {
    const status = statusOf(client.state, runs.list, runs.life);
    if (status === undefined) {
      item.hide();
      return;
    }
    item.text = status.text;
    item.tooltip = status.tooltip.join('\n');
    const live = liveRun(runs.list);
    const openTraining = {
      command: COMMANDS.openTraining,
      title: 'Open Training',
      arguments: live === undefined ? [] : [{ run: live.run }],
    };
    item.command = client.state.kind === 'failed' ? COMMANDS.showLog : openTraining;
    item.backgroundColor = status.isWarning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    item.accessibilityInformation = { label: ['Dartboard', ...status.tooltip].join('. '), role: 'button' };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, runs.onChange(update));
}
