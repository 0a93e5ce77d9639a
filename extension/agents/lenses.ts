// Commands above each agent in dartboard.json.

import * as vscode from 'vscode';
import type { CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { secretsOf } from './configured-agents.ts';
import { placedAgents } from './entry.ts';

interface Options {
  readonly folder: string;
  readonly keys: KeyStore;
  /** Fires when a key was stored or deleted. */
  readonly onKeysChanged: vscode.Event<unknown>;
}

/** Only for the file in the open folder: the commands read that one. */
export function activateLenses({ folder, keys, onKeysChanged }: Options): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    onKeysChanged(() => changed.fire()),
    vscode.languages.registerCodeLensProvider(
      { pattern: new vscode.RelativePattern(folder, 'dartboard.json') },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: document => lensesOf(document, keys),
      },
    ),
  );
}

const lensesOf = (document: vscode.TextDocument, keys: KeyStore): vscode.CodeLens[] =>
  placedAgents(document.getText()).flatMap(({ agent, offset }) => {
    const at = document.positionAt(offset);
    const lens = (title: string, command: string, target: CommandTarget): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(at, at), { title, command, arguments: [target] });
    return [
      lens('Check Endpoint', COMMANDS.checkEndpoint, { agent: agent.name }),
      lens('Run an Instruction', COMMANDS.run, { agent: agent.name }),
      lens('Evaluate', COMMANDS.evaluate, { agent: agent.name }),
      ...secretsOf([agent]).map(secret => lens(keyTitle(secret, keys), COMMANDS.setKey, { secret })),
    ];
  });

const keyTitle = (secret: string, keys: KeyStore): string =>
  keys.names.includes(secret) ? 'Set Key' : `Set Key (${secret} is not stored)`;
