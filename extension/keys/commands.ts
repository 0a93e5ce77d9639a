// `Set Key…` and `Forget Key…`: keys in the secret storage of VS Code. A running daemon has the keys of its start.

import * as vscode from 'vscode';
import { keyProblem } from '../agents/answers.ts';
import { secretsOf } from '../agents/configured.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { KeyStore } from './key-store.ts';

interface Options {
  readonly commands: CommandTable;
  readonly agents: FolderAgents;
  readonly keys: KeyStore;
  /** Offers a restart if a daemon runs. Returns false if none does. */
  readonly offerRestart: (reason: string) => boolean;
}

export function activateKeyCommands({ commands, agents, keys, offerRestart }: Options): void {
  const report = (message: string): void => {
    if (!offerRestart(message)) void vscode.window.showInformationMessage(message);
  };
  commands.on(COMMANDS.setKey, async target => {
    const name = target?.secret ?? (await pickKey('Set Key', await knownKeys(agents, keys), keys));
    if (name === undefined) return;
    const key = await askForKey(`Key ${name}`);
    if (key === undefined) return;
    await keys.set(name, key);
    report(`The key ${name} is stored.`);
  });
  commands.on(COMMANDS.forgetKey, async target => {
    const stored = keys.names;
    if (stored.length === 0) throw new Error('No key of this folder is stored, so there is none to forget.');
    const name = target?.secret ?? (await pickKey('Forget Key', stored, keys));
    if (name === undefined) return;
    await keys.forget(name);
    report(`The key ${name} is deleted from the secret storage.`);
  });
}

/** The keys that dartboard.json names, and other stored ones. */
async function knownKeys(agents: FolderAgents, keys: KeyStore): Promise<readonly string[]> {
  const names = [...new Set([...secretsOf(await agents.list()), ...keys.names])];
  if (names.length > 0) return names;
  throw new Error(
    'No agent in dartboard.json names a key of the secret storage. Configure an agent, or add "key": { "secret": "NAME" } to its entry.',
  );
}

/** Undefined if the user pressed Escape. */
async function pickKey(title: string, names: readonly string[], keys: KeyStore): Promise<string | undefined> {
  const items = names.map(name => ({
    label: `$(key) ${name}`,
    description: keys.names.includes(name) ? 'stored' : 'not stored yet',
    name,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Which key?' }))?.name;
}

/** Undefined if the user pressed Escape. */
export async function askForKey(title: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title,
    prompt: 'The API key. VS Code keeps it in its secret storage, for this folder only.',
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (text === '' ? undefined : keyProblem(text)),
  });
  return key === undefined || key.trim() === '' ? undefined : key.trim();
}
