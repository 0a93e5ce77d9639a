// Shows the entry of an agent in dartboard.json.

import { join } from 'node:path';
import * as vscode from 'vscode';
import { placedAgents } from './entry.ts';

/** Shows the start of the file if it has no such agent. */
export async function showAgent(folder: string, name: string): Promise<void> {
  const uri = vscode.Uri.file(join(folder, 'dartboard.json'));
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const offset = placedAgents(document.getText()).find(({ agent }) => agent.name === name)?.offset ?? 0;
  const at = document.positionAt(offset);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
