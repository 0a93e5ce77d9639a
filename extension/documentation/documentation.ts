// `Dartboard: Open Documentation`: the pages that come with the extension, in the Markdown preview of VS Code.

import { basename } from 'node:path';
import * as vscode from 'vscode';
import { pickOne } from '../ask.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import { pagesIn } from './pages.ts';

export function activateDocumentation(commands: CommandTable, extensionUri: vscode.Uri): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'docs');
  commands.on(COMMANDS.openDocumentation, async () => {
    const page = await pickOne(pagesIn(folder.fsPath), {
      title: 'Documentation of Dartboard',
      placeHolder: 'Choose a page',
      matchOnDescription: true,
    });
    if (page === undefined) return;
    const file = vscode.Uri.joinPath(folder, basename(page.description));
    await vscode.commands.executeCommand('markdown.showPreview', file);
  });
}
