// The extension's table of contents: every feature is a folder that is handed what it needs. VS Code calls `activate` at the first
// Dartboard command or view, when a panel comes back, or where a daemon is running already; never just because it starts itself.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { clock } from './clock.ts';
import { CommandTable } from './command-table.ts';
import { COMMANDS } from './commands.ts';
import { programFor } from './program.ts';
import { activateSample } from './sample/sample.ts';
import { activateTerminal } from './terminal/commands.ts';
import { activateWorkspace } from './workspace.ts';

/** Names the run whose weights were written last. */
const LATEST = '.dartboard/runs/latest';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Dartboard', { log: true });
  const commands = new CommandTable(log);
  context.subscriptions.push(log, commands);

  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const programIn = (workspace: string | undefined, ...args: readonly string[]) => {
    const named = vscode.workspace.getConfiguration('dartboard').get<string>('node', '').trim();
    return programFor(args, {
      node: named === '' ? process.execPath : named,
      platform: process.platform,
      installed: context.extensionPath,
      workspace,
      home: homedir(),
    });
  };
  const program = (...args: readonly string[]) => {
    // Menus do not offer it then; a key that somebody bound still may.
    if (!vscode.workspace.isTrusted)
      throw new Error(vscode.l10n.t('Trust this folder first: Dartboard starts programs in it.'));
    return programIn(folder, ...args);
  };
  commands.on(COMMANDS.showLog, () => log.show());
  activateTerminal(commands, program, () => folder !== undefined && existsSync(join(folder, LATEST)));
  activateSample({ context, commands, note: message => log.info(message), programIn, clock });

  if (folder === undefined) return;
  const begin = (): void => activateWorkspace({ context, commands, log, folder, program });
  // Whose folder is not trusted gets no program started in it.
  if (vscode.workspace.isTrusted) begin();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(begin));
}
