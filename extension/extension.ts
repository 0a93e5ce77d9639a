// The table of contents of the extension: each feature is a folder with an `activate…` function that receives
// what it needs. VS Code calls `activate` at the first Dartboard command or view, when it restores a panel,
// or in a folder with runs, a running daemon or a dartboard.json.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../runtime/core/system-clock.ts';
import { DAEMON_FILE } from '../runtime/protocol/daemon/daemon-file.ts';
import { activateAgents } from './agents/agents.ts';
import { FolderAgents } from './agents/folder-agents.ts';
import { showAgent } from './agents/show-agent.ts';
import { activateCollect } from './collect/collect.ts';
import { CommandTable } from './command-table.ts';
import { COMMANDS } from './commands.ts';
import { activateCompare } from './compare/compare.ts';
import { clientOf } from './daemon/folder-client.ts';
import { activateDocumentation } from './documentation/documentation.ts';
import { activateExchange } from './exchange/exchange.ts';
import { AgentKeys } from './keys/agent-keys.ts';
import { KeyStore } from './keys/key-store.ts';
import { activatePanels } from './panels/panels.ts';
import { Signature } from './panels/signature.ts';
import { type CommandLine, commandLine } from './program.ts';
import { activateRunCommands } from './runs/commands.ts';
import { activateFailureAlert } from './runs/failure-alert.ts';
import { activateRuns } from './runs/runs.ts';
import { activateSample } from './sample/sample.ts';
import { readUserSettings } from './settings/settings.ts';
import { variablesOf } from './settings/user-settings.ts';
import { activateStart } from './start/start.ts';
import { activateStatusBar } from './status/bar.ts';
import { activatePersonItem } from './status/person-item.ts';
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
  commands.on(COMMANDS.openSettings, async () =>
    vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
  );

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
    const line = programIn(folder, ...args);
    return { ...line, env: { ...line.env, ...variablesOf(readUserSettings()) } };
  };

  activateDocumentation(commands, context.extensionUri);
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
  const { storageUri, logUri, extensionUri, subscriptions, workspaceState, globalState, secrets } = context;
  const log = (message: string): void => output.info(message);
  const hasWeights = (): boolean => existsSync(join(folder, RUNS_FOLDER, LATEST_FILE));
  const agents = new FolderAgents(folder, hasWeights, () => readUserSettings().agents);
  const keys = new AgentKeys({
    folder: new KeyStore({ secrets, state: workspaceState, owner: folder }),
    user: new KeyStore({ secrets, state: globalState, owner: '' }),
    settings: readUserSettings,
    random: () => randomBytes(8).toString('hex'),
  });
  const client = clientOf({
    ...{ folder, log },
    program: async () => {
      const serve = program('serve');
      return { ...serve, env: { ...serve.env, ...(await keys.variablesForDaemon(() => agents.list())) } };
    },
    output: vscode.Uri.joinPath(storageUri ?? logUri, 'daemon.log').fsPath,
  });
  const mayHaveRuns = (): boolean => existsSync(join(folder, RUNS_FOLDER));
  const runs = activateRuns({ client, log, mayHaveRuns, storage: workspaceState, subscriptions });
  const trees = activateTrees({ client, runs, commands, mayHaveRuns });
  const panels = activatePanels(commands, {
    ...{ extensionUri, client, clock: systemClock, log },
    replied: {
      annotate: trees.refresh,
      'daemon.keepTraining': () => void runs.refreshLife().catch(error => log(String(error))),
    },
    signature: new Signature(globalState),
  });
  const openTraining = (run: string): Promise<void> => panels.open({ panel: 'training', run });
  const openDesktops = (): Promise<void> => panels.open({ panel: 'desktops' });
  const buildImage = () => runInTerminal('Dartboard Docker Build', program('docker', 'build', 'small'));

  activateStart({
    ...{ client, runs, commands, folder, agents, storage: workspaceState, openTraining, buildImage },
    showAgent: async name => showAgent(folder, await agents.find(name)),
  });
  activateCollect({ client, runs, commands, folder, agents });
  activateCompare({ client, runs, commands, log });
  activateExchange({ client, commands, folder, log });
  const lenses = activateAgents({
    ...{ client, runs, commands, folder, agents, keys, program, log },
    onKeysChanged: secrets.onDidChange,
    openPanel: place => panels.open(place),
  });
  activateRunCommands({ client, runs, commands, openTraining, openDesktops });
  subscriptions.push(
    activateTesting({ client, folder, agents, clock: systemClock, log }),
    client,
    panels,
    trees,
    lenses,
    activateStatusBar(client, runs),
    activatePersonItem({ client, clock: systemClock, ended: trees.refresh }),
    activateFailureAlert(runs),
  );

  // Finds a daemon that another window, a terminal, or this window before a reload has started, now or later.
  const daemonFile = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(folder, DAEMON_FILE),
  );
  daemonFile.onDidCreate(() => client.connect(false));
  daemonFile.onDidChange(() => client.connect(false));
  subscriptions.push(daemonFile);
  client.connect(runs.hasInterruptedTraining);
}
