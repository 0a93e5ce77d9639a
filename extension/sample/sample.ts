// `Dartboard: Open Sample Run`: a recorded run in read-only panels. It needs no folder, no workspace trust
// and no training. A read-only daemon serves it from the folder into which it was unpacked, and exits after
// its last panel closes.

import * as vscode from 'vscode';
import { messageOf } from '../../runtime/core/errors.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { PanelName } from '../../runtime/protocol/panels.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS, CONTEXT } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { clientOf, daemonOf } from '../daemon/folder-client.ts';
import { stopDaemon } from '../daemon/stop.ts';
import { Panels } from '../panels/panels.ts';
import type { CommandLine } from '../program.ts';
import { deleteSample, deleteUnusedSamples, SAMPLE_RUN, samplesIn, unpackSample } from './unpack.ts';

interface Options {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandTable;
  readonly log: (message: string) => void;
  /** The sample needs no trusted folder, because the daemon serves files of the extension. */
  readonly programIn: (folder: string, ...args: readonly string[]) => CommandLine;
}

interface OpenSample {
  readonly folder: string;
  readonly client: DaemonClient;
  readonly panels: Panels;
}

export function activateSample(options: Options): void {
  const { context, commands, log } = options;
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const archive = vscode.Uri.joinPath(context.extensionUri, 'media', 'sample.zip').fsPath;
  let sample: OpenSample | undefined;

  const updateContext = async (): Promise<void> => {
    const samples = await samplesIn(storage);
    await vscode.commands.executeCommand('setContext', CONTEXT.hasSample, samples.length > 0);
  };
  const logged = (error: unknown): void => log(messageOf(error));
  const close = (): void => {
    const { client, panels } = sample ?? {};
    // Disposing the panels calls this function again.
    sample = undefined;
    panels?.dispose();
    client?.dispose();
  };
  const show = async (panel: PanelName): Promise<void> => {
    if (sample === undefined) {
      const folder = await unpackSample(archive, storage);
      sample ??= openSample(folder, options, close);
    }
    const { client, panels } = sample;
    await updateContext();
    // A page that opens before the connection would report a lost connection.
    const progress = { location: vscode.ProgressLocation.Window, title: 'Opening the sample run' };
    await vscode.window.withProgress(progress, () => client.ready());
    await panels.open({ panel, run: SAMPLE_RUN });
  };

  commands.on(COMMANDS.openSample, async () => {
    await show('training');
    if (sample !== undefined)
      deleteUnusedSamples(storage, { ...sample, isServed, now: systemClock.now() }).catch(logged);
    void offerPanels(show);
  });
  commands.on(COMMANDS.deleteSample, async () => {
    close();
    for (const folder of await samplesIn(storage)) {
      // Windows cannot delete a folder with open files.
      await stopDaemon(folder, STOP_TIMEOUT_MS, systemClock);
      await deleteSample(folder);
    }
    await updateContext();
  });
  context.subscriptions.push({ dispose: close });
  updateContext().catch(logged);
}

const isServed = async (folder: string): Promise<boolean> => (await daemonOf(folder)) !== undefined;

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
    ...{ folder, client },
    panels: new Panels({ extensionUri, client, clock: systemClock, log, isSample: true, onClose }),
  };
}

/** Nothing has to be saved. */
const STOP_TIMEOUT_MS = 5000;
