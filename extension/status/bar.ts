// The status bar item. A click opens the panel Training, or the log after an error.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { liveRun } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import { type StatusBarContent, statusOf } from './status.ts';

export function activateStatusBar(client: DaemonClient, runs: RunStore): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('dartboard.status', vscode.StatusBarAlignment.Left, 50);
  item.name = 'Dartboard';
  const update = (): void => {
    const live = liveRun(runs.list);
    const openTraining = {
      command: COMMANDS.openTraining,
      title: 'Open Training',
      arguments: live === undefined ? [] : [{ run: live.run }],
    };
    item.command = client.state.kind === 'failed' ? COMMANDS.showLog : openTraining;
    showStatus(item, statusOf(client.state, runs.list, runs.life));
  };
  update();
  return vscode.Disposable.from(item, runs.onChange(update));
}

/** Hides the item if there is nothing to show. */
export function showStatus(item: vscode.StatusBarItem, status: StatusBarContent | undefined): void {
  if (status === undefined) {
    item.hide();
    return;
  }
  const { text, tooltip, isWarning } = status;
  item.text = text;
  item.tooltip = tooltip.join('\n');
  item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  // A screen reader would read the names of the icons.
  item.accessibilityInformation = { label: ['Dartboard', ...tooltip].join('. '), role: 'button' };
  item.show();
}
