// `Dartboard: Open Sample Run`: a recorded run in read-only panels. It needs no folder, no workspace trust
// and no training. A read-only daemon serves it from the folder into which it was unpacked, and exits after
// its last panel closes.

import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { PanelName } from '../../runtime/protocol/panels.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS, CONTEXT } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { clientOf } from '../daemon/folder-client.ts';
import { stopDaemon } from '../daemon/stop.ts';
import { Panels } from '../panels/panels.ts';
import type { CommandLine } from '../program.ts';
import { deleteSample, SAMPLE_RUN, unpackSample } from './unpack.ts';

interface Options {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandTable;
  readonly log: (message: string) => void;
  /** The sample needs no trusted folder, because the daemon serves files of the extension. */
  readonly programIn: (folder: string, ...args: readonly string[]) => CommandLine;
}

interface OpenSample {
  readonly client: DaemonClient;
  readonly panels: Panels;
}

export function activateSample(options: Options): void {
  const { context, commands } = options;
  const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'sample').fsPath;
  const archive = vscode.Uri.joinPath(context.extensionUri, 'media', 'sample.zip').fsPath;
  let sample: OpenSample | undefined;

  const updateContext = (): void =>
    void vscode.commands.executeCommand('setContext', CONTEXT.hasSample, existsSync(folder));
  const close = (): void => {
    const { client, panels } = sample ?? {};
    // Disposing the panels calls this function again.
    sample = undefined;
    panels?.dispose();
    client?.dispose();
  };
  const show = async (panel: PanelName): Promise<void> => {
    sample ??= openSample(folder, options, close);
    const { client, panels } = sample;
    // A page that opens before the connection would report a lost connection.
    const progress = { location: vscode.ProgressLocation.Window, title: 'Opening the sample run' };
    await vscode.window.withProgress(progress, () => client.ready());
    await panels.open({ panel, run: SAMPLE_RUN });
  };

  commands.on(COMMANDS.openSample, async () => {
    if (sample === undefined) await unpackSample(archive, folder);
    updateContext();
    await show('training');
    void offerPanels(show);
  });
  commands.on(COMMANDS.deleteSample, async () => {
    close();
    // Windows cannot delete a folder with open files.
    await stopDaemon(folder, STOP_TIMEOUT_MS, systemClock);
    await deleteSample(folder);
    updateContext();
  });
  context.subscriptions.push({ dispose: close });
  updateContext();
}

async function offerPanels(show: (panel: PanelName) => Promise<void>): Promise<void> {
  const trajectories = 'Trajectories';
  const uncertain = 'High-Entropy Steps';
  const text = 'This is a recorded run. It is read-only and separate from your runs.';
  const choice = await vscode.window.showInformationMessage(text, trajectories, uncertain);
  if (choice === trajectories) await show('trajectories');
  if (choice === uncertain) await show('uncertain');
}

function openSample(folder: string, { context, log, programIn }: Options, onClose: () => void): OpenSample {
  const client = clientOf({
    ...{ folder, log },
    program: () => programIn(folder, 'serve', '--read-only'),
    output: vscode.Uri.joinPath(context.logUri, 'sample.log').fsPath,
  });
  const { extensionUri } = context;
  return {
    client,
    panels: new Panels({ extensionUri, client, clock: systemClock, log, isSample: true, onClose }),
  };
}

/** Nothing has to be saved. */
const STOP_TIMEOUT_MS = 5000;
