// Shows the entry of an agent in dartboard.json, or the agents of the user's settings.

import { join } from 'node:path';
import * as vscode from 'vscode';
import { showUserAgents } from '../settings/settings.ts';
import type { ConfiguredAgent } from './configured-agents.ts';
import { placedAgents } from './entry.ts';

/** Shows the start of the file if it has no such agent. */
export async function showAgent(
  folder: string,
  { name, isOfUser }: Pick<ConfiguredAgent, 'name' | 'isOfUser'>,
): Promise<void> {
  if (isOfUser === true) return await showUserAgents();
  const uri = vscode.Uri.file(join(folder, 'dartboard.json'));
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const offset = placedAgents(document.getText()).find(({ agent }) => agent.name === name)?.offset ?? 0;
  const at = document.positionAt(offset);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
