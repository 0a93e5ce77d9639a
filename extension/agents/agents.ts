// Agents of models behind endpoints: their configuration, their keys, and the commands that run them in a terminal.

import * as vscode from 'vscode';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { COMMANDS } from '../commands.ts';
import { restartDaemon } from '../daemon/restart.ts';
import type { FolderServices } from '../folder-services.ts';
import { activateKeyCommands } from '../keys/commands.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { withKeyOf } from '../keys/with-key.ts';
import type { CommandLine } from '../program.ts';
import { activateAgentCommands } from '../terminal/agent-commands.ts';
import { activateConfigure } from './configure.ts';
import type { FolderAgents } from './folder-agents.ts';
import { activateLenses } from './lenses.ts';

interface Options extends FolderServices {
  readonly folder: string;
  readonly agents: FolderAgents;
  readonly keys: KeyStore;
  readonly onKeysChanged: vscode.Event<unknown>;
  readonly program: (...args: readonly string[]) => CommandLine;
  readonly hasWeights: () => boolean;
  readonly log: (message: string) => void;
}

export function activateAgents(options: Options): vscode.Disposable {
  const { client, runs, commands, folder, agents, keys, onKeysChanged, program, hasWeights, log } = options;
  /** A running daemon has the keys of its start. Returns false if none runs. */
  const offerRestart = (reason: string): boolean => {
    if (client.state.kind !== 'connected') return false;
    const restart = 'Restart Daemon';
    void vscode.window
      .showInformationMessage(
        `${reason} The running daemon keeps its old keys until it restarts. A training resumes from its checkpoint.`,
        restart,
      )
      .then(choice => choice === restart && vscode.commands.executeCommand(COMMANDS.restartDaemon));
    return true;
  };
  commands.on(COMMANDS.restartDaemon, () => restartDaemon({ client, runs, folder, clock: systemClock }));
  activateConfigure({ commands, folder, agents, keys, offerRestart });
  activateKeyCommands({ commands, agents, keys, offerRestart });
  activateAgentCommands({
    ...{ commands, program, folder, agents, hasWeights },
    withKey: (line, agent) => withKeyOf(agent, line, { agents, keys, clock: systemClock, log }),
  });
  return activateLenses({ folder, keys, onKeysChanged });
}
