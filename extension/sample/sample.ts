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
import { SharedSample } from './shared-sample.ts';
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
  close(): void;
}

export function activateSample(options: Options): void {
  const { context, commands, log } = options;
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const archive = vscode.Uri.joinPath(context.extensionUri, 'media', 'sample.zip').fsPath;
  const shared: SharedSample<OpenSample> = new SharedSample({
    unpack: () => unpackSample(archive, storage),
    open: folder => openSample(folder, options, () => shared.close()),
  });

  const updateContext = async (): Promise<void> => {
    const samples = await samplesIn(storage);
    await vscode.commands.executeCommand('setContext', CONTEXT.hasSample, samples.length > 0);
  };
  const logged = (error: unknown): void => log(messageOf(error));
  const show = (panel: PanelName): Promise<OpenSample> =>
    shared.use(async ({ client, panels }) => {
      await updateContext();
      // A page that opens before the connection would report a lost connection.
      const progress = { location: vscode.ProgressLocation.Window, title: 'Opening the sample run' };
      await vscode.window.withProgress(progress, () => client.ready());
      await panels.open({ panel, run: SAMPLE_RUN });
    });

  commands.on(COMMANDS.openSample, async () => {
    const { folder } = await show('training');
    deleteUnusedSamples(storage, { folder, isServed, now: systemClock.now() }).catch(logged);
    void offerPanels(show);
  });
  commands.on(COMMANDS.deleteSample, () =>
    shared.delete(async () => {
      for (const folder of await samplesIn(storage)) {
        // Windows cannot delete a folder with open files.
        await stopDaemon(folder, STOP_TIMEOUT_MS, systemClock);
        await deleteSample(folder);
      }
      await updateContext();
    }),
  );
  context.subscriptions.push({ dispose: () => shared.close() });
  updateContext().catch(logged);
}

const isServed = async (folder: string): Promise<boolean> => (await daemonOf(folder)) !== undefined;

async function offerPanels(show: (panel: PanelName) => Promise<unknown>): Promise<void> {
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
  const panels = new Panels({ extensionUri, client, clock: systemClock, log, isSample: true, onClose });
  const close = (): void => {
    panels.dispose();
    client.dispose();
  };
  return { folder, client, panels, close };
}

/** Nothing has to be saved. */
const STOP_TIMEOUT_MS = 5000;
