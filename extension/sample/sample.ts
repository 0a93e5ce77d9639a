// `Dartboard: Open Sample Run`: a recorded run in panels of its own, only to be looked at, in any window: no folder, no trust and no training
// are needed. A daemon of its own shows it, from the folder into which it was unpacked, and goes when its last panel is closed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DAEMON_FILE, type DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import type { PanelName } from '../../runtime/protocol/panels.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS, CONTEXT } from '../commands.ts';
import { type Clock, DaemonClient } from '../daemon/client.ts';
import { Connection } from '../daemon/connection.ts';
import { findDaemon } from '../daemon/find.ts';
import { startDaemon } from '../daemon/start.ts';
import { WHO } from '../daemon/who.ts';
import { Panels } from '../panels/panels.ts';
import type { Program } from '../program.ts';
import { deleteSample, SAMPLE_RUN, unpackSample } from './unpacked.ts';

interface Options {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandTable;
  readonly note: (message: string) => void;
  readonly programIn: (folder: string, ...args: readonly string[]) => Program;
  readonly clock: Clock;
}

interface Open {
  readonly client: DaemonClient;
  readonly panels: Panels;
}

export function activateSample(options: Options): void {
  const { context, commands, clock } = options;
  const { t } = vscode.l10n;
  const storage = context.storageUri ?? context.globalStorageUri;
  const folder = vscode.Uri.joinPath(storage, 'sample').fsPath;
  const packed = vscode.Uri.joinPath(context.extensionUri, 'media', 'sample.zip').fsPath;
  let opened: Open | undefined;
  const tell = (): void =>
    void vscode.commands.executeCommand('setContext', CONTEXT.hasSample, existsSync(folder));
  const close = (): void => {
    const { client, panels } = opened ?? {};
    // Closing its panels comes back here.
    opened = undefined;
    panels?.dispose();
    client?.dispose();
  };
  const show = async (panel: PanelName): Promise<void> => {
    opened ??= openAt(folder, options, close);
    const { client, panels } = opened;
    // A page that is there first would say that it has lost its connection.
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Opening the sample run') },
      () => client.ready(),
    );
    await panels.open({ panel, run: SAMPLE_RUN });
  };
  commands.on(COMMANDS.openSample, async () => {
    if (opened === undefined) await unpackSample(packed, folder);
    tell();
    await show('training');
    const others: readonly (readonly [string, PanelName])[] = [
      [t('Trajectories'), 'trajectories'],
      [t('High-Entropy Steps'), 'uncertain'],
    ];
    const says = t('A recorded run, only to be looked at. It lies apart from your own runs.');
    void vscode.window.showInformationMessage(says, ...others.map(([label]) => label)).then(chosen => {
      const panel = others.find(([label]) => label === chosen)?.[1];
      return panel && show(panel);
    });
  });
  commands.on(COMMANDS.deleteSample, async () => {
    close();
    await endDaemon(folder, clock);
    await deleteSample(folder);
    tell();
  });
  context.subscriptions.push({ dispose: close });
  tell();
}

function openAt(folder: string, { context, note, programIn, clock }: Options, closed: () => void): Open {
  const said = vscode.Uri.joinPath(context.logUri, 'sample.log').fsPath;
  const client = new DaemonClient({
    ...{ clock, note },
    find: () => findDaemon(join(folder, DAEMON_FILE)),
    start: ended => startDaemon(programIn(folder, 'serve', '--read-only'), said, ended),
    dial: (daemon, hearing) => new Connection(daemon, WHO, hearing),
  });
  const { extensionUri } = context;
  return { client, panels: new Panels({ extensionUri, client, clock, note, isSample: true, closed }) };
}

/** Milliseconds. */
const LOOK_EVERY = 50;
const PATIENCE = 5000;

/** It has nothing to save; a folder that it has open cannot be deleted everywhere. */
async function endDaemon(folder: string, clock: Clock): Promise<void> {
  const file = join(folder, DAEMON_FILE);
  const daemon = await findDaemon(file);
  if (daemon === undefined || !(await answers(daemon))) return;
  process.kill(daemon.pid);
  const until = clock.now() + PATIENCE;
  while ((await findDaemon(file)) !== undefined && clock.now() < until) await clock.sleep(LOOK_EVERY);
}

/** Where one was killed with the machine, another program may have its number by now. */
const answers = (daemon: DaemonAddress): Promise<boolean> =>
  new Promise(resolve => {
    const connection = new Connection(daemon, WHO, {
      welcomed: () => {
        connection.close();
        resolve(true);
      },
      message: () => undefined,
      frame: () => undefined,
      closed: () => resolve(false),
    });
  });
