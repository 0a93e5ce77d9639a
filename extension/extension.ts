// The table of contents of the extension: each feature is a folder with an `activate…` function that receives
// what it needs. VS Code calls `activate` at the first Dartboard command or view, when it restores a panel,
// or in a folder with a running daemon.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../runtime/core/system-clock.ts';
import { activateAgents } from './agents/agents.ts';
import { secretsOf } from './agents/configured.ts';
import { FolderAgents } from './agents/folder-agents.ts';
import { showAgent } from './agents/show-agent.ts';
import { activateCollect } from './collect/collect.ts';
import { CommandTable } from './command-table.ts';
import { COMMANDS } from './commands.ts';
import { clientOf } from './daemon/folder-client.ts';
import { activateExchange } from './exchange/exchange.ts';
import { KeyStore } from './keys/key-store.ts';
import { activatePanels } from './panels/panels.ts';
import { type CommandLine, commandLine } from './program.ts';
import { activateRunCommands } from './runs/commands.ts';
import { activateFailureAlert } from './runs/failure-alert.ts';
import { activateRuns } from './runs/runs.ts';
import { activateSample } from './sample/sample.ts';
import { activateStart } from './start/start.ts';
import { activateStatusBar } from './status/bar.ts';
import { activateTerminal } from './terminal/commands.ts';
import { runInTerminal } from './terminal/terminal.ts';
import { activateTesting } from './testing/testing.ts';
import { activateTrees } from './trees/trees.ts';

const RUNS_FOLDER = '.dartboard/runs';
/** A file in it that names the run with the newest weights. */
const LATEST_FILE = 'latest';

/** The program that runs the command line with these arguments in the open folder. */
type ProgramOf = (...args: readonly string[]) => CommandLine;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('Dartboard', { log: true });
  const commands = new CommandTable(output);
  context.subscriptions.push(output, commands);
  commands.on(COMMANDS.showLog, () => output.show());

  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const programIn = (cwd: string | undefined, ...args: readonly string[]): CommandLine => {
    const node = vscode.workspace.getConfiguration('dartboard').get<string>('node', '').trim();
    return commandLine(args, {
      node: node === '' ? process.execPath : node,
      platform: process.platform,
      extensionPath: context.extensionPath,
      folder: cwd,
      home: homedir(),
    });
  };
  const program: ProgramOf = (...args) => {
    // Menus hide these commands without trust; a keyboard shortcut still calls them.
    if (!vscode.workspace.isTrusted)
      throw new Error(
        'Dartboard starts no programs in an untrusted folder. Trust the folder, then try again.',
      );
    return programIn(folder, ...args);
  };

  activateTerminal({ commands, program });
  activateSample({ context, commands, log: message => output.info(message), programIn });

  if (folder === undefined) return;
  const activateHere = (): void => activateFolder({ context, commands, output, folder, program });
  if (vscode.workspace.isTrusted) activateHere();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(activateHere));
}

interface TrustedFolder {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandTable;
  readonly output: vscode.LogOutputChannel;
  readonly folder: string;
  readonly program: ProgramOf;
}

/** The features that need a trusted folder: everything that shows or controls its daemon. */
function activateFolder({ context, commands, output, folder, program }: TrustedFolder): void {
  const { storageUri, logUri, extensionUri, subscriptions, workspaceState, secrets } = context;
  const log = (message: string): void => output.info(message);
  const hasWeights = (): boolean => existsSync(join(folder, RUNS_FOLDER, LATEST_FILE));
  const agents = new FolderAgents(folder, hasWeights);
  const keys = new KeyStore({ secrets, state: workspaceState, folder });
  const client = clientOf({
    ...{ folder, log },
    program: async () => {
      const serve = program('serve');
      // Without them if dartboard.json cannot be read: the daemon names the error.
      const used = await agents.list().then(secretsOf, () => []);
      return { ...serve, env: { ...serve.env, ...(await keys.environment(used)) } };
    },
    output: vscode.Uri.joinPath(storageUri ?? logUri, 'daemon.log').fsPath,
  });
  const mayHaveRuns = (): boolean => existsSync(join(folder, RUNS_FOLDER));
  const runs = activateRuns({ client, log, mayHaveRuns, storage: workspaceState, subscriptions });
  const trees = activateTrees({ client, runs, commands, mayHaveRuns });
  const panels = activatePanels(commands, {
    ...{ extensionUri, client, clock: systemClock, log },
    onAnnotated: trees.refresh,
  });
  const openTraining = (run: string): Promise<void> => panels.open({ panel: 'training', run });
  const buildImage = () => runInTerminal('Dartboard Docker Build', program('docker', 'build', 'small'));

  activateStart({
    ...{ client, runs, commands, folder, storage: workspaceState, openTraining, buildImage },
    showAgent: agent => showAgent(folder, agent),
  });
  activateCollect({ client, runs, commands, folder });
  activateExchange({ client, commands, folder, log });
  const lenses = activateAgents({
    ...{ client, runs, commands, folder, agents, keys, program, hasWeights, log },
    onKeysChanged: secrets.onDidChange,
  });
  activateRunCommands({ client, runs, commands, openTraining });
  subscriptions.push(
    activateTesting({ client, folder, agents, hasWeights, clock: systemClock, log }),
    client,
    panels,
    trees,
    lenses,
    activateStatusBar(client, runs),
    activateFailureAlert(runs),
  );

  // Finds a daemon that another window, a terminal, or this window before a reload has started.
  client.connect(false);
}
