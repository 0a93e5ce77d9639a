// Commands above each agent in dartboard.json.

import * as vscode from 'vscode';
import type { CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import { placedAgents } from './entry.ts';

/** Only for the file in the open folder: the commands read that one. */
export const activateLenses = (folder: string): vscode.Disposable =>
  vscode.languages.registerCodeLensProvider(
    { pattern: new vscode.RelativePattern(folder, 'dartboard.json') },
    { provideCodeLenses: lensesOf },
  );

const lensesOf = (document: vscode.TextDocument): vscode.CodeLens[] =>
  placedAgents(document.getText()).flatMap(({ agent: { name, secret }, offset }) => {
    const at = document.positionAt(offset);
    const lens = (title: string, command: string, target: CommandTarget): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(at, at), { title, command, arguments: [target] });
    return [
      lens('$(pulse) Check Endpoint', COMMANDS.checkEndpoint, { agent: name }),
      lens('$(terminal) Run an Instruction', COMMANDS.run, { agent: name }),
      lens('$(beaker) Evaluate', COMMANDS.evaluate, { agent: name }),
      ...(secret === undefined ? [] : [lens('$(key) Set Key', COMMANDS.setKey, { secret })]),
    ];
  });
