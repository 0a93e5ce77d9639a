// Agents of models behind endpoints: their configuration, their keys, and the commands that run them.

import * as vscode from 'vscode';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { COMMANDS } from '../commands.ts';
import { activateRestart } from '../daemon/restart-command.ts';
import type { FolderServices } from '../folder-services.ts';
import type { AgentKeys } from '../keys/agent-keys.ts';
import { activateKeyCommands } from '../keys/commands.ts';
import { withKeyOf } from '../keys/with-key.ts';
import type { CommandLine } from '../program.ts';
import { onDaemonSettingChanged } from '../settings/settings.ts';
import { activateAgentCommands } from '../terminal/agent-commands.ts';
import { activateConfigure } from './configure.ts';
import type { FolderAgents } from './folder-agents.ts';
import { activateLenses } from './lenses.ts';

interface Options extends FolderServices {
  readonly folder: string;
  readonly agents: FolderAgents;
  readonly keys: AgentKeys;
  readonly onKeysChanged: vscode.Event<unknown>;
  readonly program: (...args: readonly string[]) => CommandLine;
  readonly openPanel: (place: PanelPlace) => Promise<void>;
  readonly log: (message: string) => void;
}

export function activateAgents(options: Options): vscode.Disposable {
  const { client, runs, commands, folder, agents, keys, onKeysChanged, program, log } = options;
  const { openPanel } = options;
  /** A running daemon has the keys and settings of its start. Returns false if none runs. */
  const offerRestart = (reason: string): boolean => {
    if (client.state.kind !== 'connected') return false;
    const restart = 'Restart Daemon';
    void vscode.window
      .showInformationMessage(
        `${reason} The running daemon keeps what it had until it restarts. A training resumes from its checkpoint.`,
        restart,
      )
      .then(choice => choice === restart && vscode.commands.executeCommand(COMMANDS.restartDaemon));
    return true;
  };
  activateRestart({ client, runs, commands, folder, clock: systemClock });
  activateConfigure({ commands, folder, agents, keys, offerRestart });
  activateKeyCommands({ commands, agents, keys, offerRestart });
  activateAgentCommands({
    ...{ commands, program, folder, agents, openPanel },
    withKey: (line, agent) => withKeyOf(agent, line, { agents, keys, clock: systemClock, log }),
  });
  return vscode.Disposable.from(
    activateLenses({ folder, keys: keys.folder, onKeysChanged }),
    onDaemonSettingChanged(() => offerRestart('Settings of Dartboard have changed.')),
  );
}
