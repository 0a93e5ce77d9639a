// `Set Key…` and `Forget Key…`: keys in the secret storage of VS Code. A running daemon has the keys of its start.

import * as vscode from 'vscode';
import { keyProblem } from '../agents/answers.ts';
import { secretsOf } from '../agents/configured-agents.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { askText, pickOne } from '../ask.ts';
import type { CommandTable, CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { AgentKeys } from './agent-keys.ts';
import type { KeyStore } from './key-store.ts';

interface Options {
  readonly commands: CommandTable;
  readonly agents: FolderAgents;
  readonly keys: AgentKeys;
  /** Offers a restart if a daemon runs. Returns false if none does. */
  readonly offerRestart: (reason: string) => boolean;
}

export function activateKeyCommands({ commands, agents, keys, offerRestart }: Options): void {
  const report = (message: string): void => {
    if (!offerRestart(message)) void vscode.window.showInformationMessage(message);
  };
  commands.on(COMMANDS.setKey, async target => {
    const chosen = ofTarget(target, keys) ?? (await pickKey('Set Key', await knownKeys(agents, keys)));
    if (chosen === undefined) return;
    const { name, store } = chosen;
    const key = await askForKey(`Key ${name}`, store === keys.user);
    if (key === undefined) return;
    await store.set(name, key);
    report(`The key ${name} is stored.`);
  });
  commands.on(COMMANDS.forgetKey, async target => {
    const stored = [keys.folder, keys.user].flatMap(store => store.names.map(name => ({ name, store })));
    if (stored.length === 0) throw new Error('No key is stored for this folder, so there is none to forget.');
    const chosen = ofTarget(target, keys) ?? (await pickKey('Forget Key', placed(stored, keys)));
    if (chosen === undefined) return;
    await chosen.store.forget(chosen.name);
    report(`The key ${chosen.name} is deleted from the secret storage.`);
  });
}

interface NamedKey {
  readonly name: string;
  readonly store: KeyStore;
}

/** The commands above the agents of dartboard.json name keys of the folder. */
const ofTarget = (target: CommandTarget | undefined, { folder }: AgentKeys): NamedKey | undefined =>
  target?.secret === undefined ? undefined : { name: target.secret, store: folder };

interface KeyItem extends vscode.QuickPickItem, NamedKey {}

const placed = (known: readonly NamedKey[], keys: AgentKeys): readonly KeyItem[] =>
  known.map(({ name, store }) => ({
    ...{ name, store, label: `$(key) ${name}` },
    description: store.names.includes(name) ? 'stored' : 'not stored yet',
    detail:
      store === keys.user ? 'For agents of your settings, in every folder.' : 'For agents of this folder.',
  }));

/** The keys that agents name, and other stored ones. */
async function knownKeys(agents: FolderAgents, keys: AgentKeys): Promise<readonly KeyItem[]> {
  const list = await agents.list();
  const namesIn = (store: KeyStore, isOfUser: boolean): readonly NamedKey[] => {
    const named = secretsOf(list.filter(agent => (agent.isOfUser === true) === isOfUser));
    return [...new Set([...named, ...store.names])].map(name => ({ name, store }));
  };
  const known = placed([...namesIn(keys.folder, false), ...namesIn(keys.user, true)], keys);
  if (known.length > 0) return known;
  throw new Error(
    'No agent names a key of the secret storage. Configure an agent, or add "key": { "secret": "NAME" } to its entry.',
  );
}

/** Undefined if the user pressed Escape. */
const pickKey = (title: string, items: readonly KeyItem[]): Thenable<KeyItem | undefined> =>
  pickOne(items, { title, placeHolder: 'Which key?' });

/** `isOfUser`: for every folder. Undefined if the user pressed Escape. */
export async function askForKey(title: string, isOfUser: boolean): Promise<string | undefined> {
  const place = isOfUser ? 'for the agents of your settings' : 'for this folder only';
  const key = await askText({
    title,
    prompt: `The API key. VS Code keeps it in its secret storage, ${place}.`,
    password: true,
    validateInput: text => (text === '' ? undefined : keyProblem(text)),
  });
  return key === undefined || key.trim() === '' ? undefined : key.trim();
}
