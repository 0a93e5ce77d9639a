// What there is in a window with a folder: the client of its daemon, and all that shows and steers what the daemon does.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DAEMON_FILE } from '../runtime/protocol/daemon/daemon-file.ts';
import type { PanelName } from '../runtime/protocol/panels.ts';
import { clock } from './clock.ts';
import { collectSuccesses } from './collect/collect.ts';
import type { CommandTable } from './command-table.ts';
import { COMMANDS } from './commands.ts';
import { contextOf } from './context.ts';
import { DaemonClient } from './daemon/client.ts';
import { Connection } from './daemon/connection.ts';
import { findDaemon } from './daemon/find.ts';
import { startDaemon } from './daemon/start.ts';
import { WHO } from './daemon/who.ts';
import { Panels } from './panels/panels.ts';
import type { Program } from './program.ts';
import { activateAlarm } from './runs/alarm.ts';
import { activateRunCommands } from './runs/commands.ts';
import type { Left } from './runs/left.ts';
import { Runs } from './runs/runs.ts';
import { startTraining } from './start/start.ts';
import { activateStatus } from './status/bar.ts';
import { runInTerminal } from './terminal/terminal.ts';
import { activateTrees } from './trees/trees.ts';

interface Around {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandTable;
  readonly log: vscode.LogOutputChannel;
  readonly folder: string;
  readonly program: (...args: readonly string[]) => Program;
}

/** Who was here before left runs behind. */
const RUNS_FOLDER = '.dartboard/runs';
/** Under which a window keeps what trained when it went. */
const LEFT = 'dartboard.left';

/** Which panel each of these commands opens. */
const OPENS: readonly (readonly [string, PanelName])[] = [
  [COMMANDS.openTraining, 'training'],
  [COMMANDS.openTrajectories, 'trajectories'],
  [COMMANDS.openUncertain, 'uncertain'],
  [COMMANDS.annotate, 'annotate'],
  [COMMANDS.openDesktops, 'desktops'],
];

export function activateWorkspace({ context, commands, log, folder, program }: Around): void {
  const note = (message: string): void => log.info(message);
  const { storageUri, logUri, extensionUri, workspaceState } = context;
  const said = vscode.Uri.joinPath(storageUri ?? logUri, 'daemon.log').fsPath;
  const client = new DaemonClient({
    clock,
    note,
    find: () => findDaemon(join(folder, DAEMON_FILE)),
    start: ended => {
      note(`What the daemon says is written to ${said}.`);
      startDaemon(program('serve'), said, ended);
    },
    dial: (daemon, hearing) => new Connection(daemon, WHO, hearing),
  });
  const memory = {
    get: () => workspaceState.get<Left>(LEFT),
    set: (left: Left | undefined) => void workspaceState.update(LEFT, left),
  };
  const runs = new Runs({ client, note, keepTraining, clock, memory });
  const mayHaveRuns = (): boolean => existsSync(join(folder, RUNS_FOLDER));
  const trees = activateTrees({ client, runs, commands, mayHaveRuns });
  const { annotated } = trees;
  const panels = new Panels({ extensionUri, client, clock, note, annotated });
  const open = (run: string): Promise<void> => panels.open({ panel: 'training', run });

  for (const [command, panel] of OPENS)
    commands.on(command, ({ run, trajectory } = {}) =>
      panels.open({
        panel,
        ...(run !== undefined && { run }),
        ...(trajectory !== undefined && { trajectory }),
      }),
    );
  const build = () => runInTerminal('Dartboard Docker Build', program('docker', 'build', 'small'));
  commands.on(COMMANDS.start, () =>
    startTraining({ client, runs, folder, memory: workspaceState, open, build }),
  );
  commands.on(COMMANDS.collect, target => collectSuccesses({ client, runs, folder, run: target?.run }));
  activateRunCommands({ client, runs, commands, open });
  const tell = (): void => {
    const isSure = runs.life !== undefined || !mayHaveRuns();
    for (const [key, value] of Object.entries(contextOf(runs.known, isSure)))
      void vscode.commands.executeCommand('setContext', key, value);
  };
  context.subscriptions.push(
    ...[client, runs, panels, trees, runs.onChange(tell)],
    activateStatus(client, runs),
    activateAlarm(runs),
    // Another window, or a terminal, deletes and resumes runs too.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && client.state.kind === 'connected')
        runs.refresh().catch((error: unknown) => note(String(error)));
    }),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (!change.affectsConfiguration('dartboard.keepTraining') || client.state.kind !== 'connected') return;
      runs.keepTraining(keepTraining()).catch((error: unknown) => log.error(String(error)));
    }),
  );
  tell();
  // A daemon that another window or a terminal started, or that this one had before it was reloaded.
  client.want(false);
}

const keepTraining = (): boolean =>
  vscode.workspace.getConfiguration('dartboard').get<boolean>('keepTraining', false);
