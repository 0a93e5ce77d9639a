// The settings of the user in VS Code: the agents and the Docker engines of this machine, for every folder. A folder cannot set them.

import * as vscode from 'vscode';
import type { AgentEntry } from '../agents/entry.ts';
import { objectIn } from '../config-file.ts';
import { type UserSettings, userSettingsOf } from './user-settings.ts';

const SECTION = 'dartboard';
const AGENTS = 'agents';
const ENGINES = 'docker.hosts';
/** A running daemon has the values of its start. */
const OF_DAEMON = [AGENTS, ENGINES, 'node'].map(name => `${SECTION}.${name}`);

export function readUserSettings(): UserSettings {
  const settings = vscode.workspace.getConfiguration(SECTION);
  return userSettingsOf(settings.get(AGENTS), settings.get(ENGINES));
}

export async function addUserAgent(name: string, entry: AgentEntry): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const agents = { ...objectIn(settings.inspect(AGENTS)?.globalValue), [name]: entry };
  await settings.update(AGENTS, agents, vscode.ConfigurationTarget.Global);
}

export const showUserAgents = async (): Promise<void> =>
  vscode.commands.executeCommand('workbench.action.openSettings', `${SECTION}.${AGENTS}`);

/** Calls the listener after a change of a setting that a daemon reads at its start. */
export const onDaemonSettingChanged = (listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration(
    change => OF_DAEMON.some(name => change.affectsConfiguration(name)) && listener(),
  );
