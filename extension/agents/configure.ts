// `Dartboard: Configure Agent…`: asks for an agent behind an OpenAI-compatible server, adds it to dartboard.json or to the user's settings, and
// shows it there.

import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { AgentKeys } from '../keys/agent-keys.ts';
import { addUserAgent, readUserSettings } from '../settings/settings.ts';
import { askAgent } from './configure-questions.ts';
import type { AgentEntry } from './entry.ts';
import type { FolderAgents } from './folder-agents.ts';
import { saveEntry } from './save-entry.ts';
import { showAgent } from './show-agent.ts';

interface Options {
  readonly commands: CommandTable;
  readonly folder: string;
  readonly agents: FolderAgents;
  readonly keys: AgentKeys;
  /** Offers a restart if a daemon runs. */
  readonly offerRestart: (reason: string) => unknown;
}

export function activateConfigure({ commands, folder, agents, keys, offerRestart }: Options): void {
  commands.on(COMMANDS.configureAgent, async () => {
    const ofFolder = (await agents.list()).filter(({ isOfUser }) => isOfUser !== true);
    const existing = {
      folder: ofFolder.map(({ name }) => name),
      user: Object.keys(readUserSettings().agents),
    };
    const answers = await askAgent(existing, keys);
    if (answers === undefined) return;
    const { isOfUser, name, entry, newKey } = answers;
    if (isOfUser) {
      // Before the setting, whose change offers to restart the daemon.
      if (newKey !== undefined) await keys.user.set(newKey.secret, newKey.value);
      await addUserAgent(name, entry);
    } else {
      await write(folder, name, entry);
      if (newKey !== undefined) {
        // After the file: a key without an entry would be of no use.
        await keys.folder.set(newKey.secret, newKey.value);
        offerRestart(`The agent '${name}' uses the key ${newKey.secret}.`);
      }
    }
    const check = 'Check Endpoint';
    // The command ends here, whether or not the user responds.
    void vscode.window
      .showInformationMessage(`The agent '${name}' is configured. Check what its server supports.`, check)
      .then(
        choice => choice === check && vscode.commands.executeCommand(COMMANDS.checkEndpoint, { agent: name }),
      );
  });
}

async function write(folder: string, name: string, entry: AgentEntry): Promise<void> {
  const uri = vscode.Uri.file(join(folder, 'dartboard.json'));
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true });
  await vscode.workspace.applyEdit(edit);
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const text = document.getText();
  const all = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  const file = {
    text,
    replace: (changed: string) => editor.edit(builder => builder.replace(all, changed)),
    // Auto Save may have been faster.
    save: async () => (await document.save()) || !document.isDirty,
  };
  await saveEntry(file, name, entry);
  await showAgent(folder, { name });
}
