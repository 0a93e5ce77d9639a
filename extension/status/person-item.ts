// The status bar item about a person on a desktop. A click opens the panel Record.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import { showStatus } from './bar.ts';
import { personStatus } from './person.ts';
import { RecordingWatch, type RecordingWatchOptions } from './recording-watch.ts';

export function activatePersonItem(options: Omit<RecordingWatchOptions, 'changed'>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('dartboard.person', vscode.StatusBarAlignment.Left, 49);
  item.name = 'Dartboard: Person on a Desktop';
  item.command = COMMANDS.record;
  const watch = new RecordingWatch({
    ...options,
    changed: recording => showStatus(item, personStatus(recording)),
  });
  return vscode.Disposable.from(item, watch);
}
