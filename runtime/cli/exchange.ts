// Opens the exchange of trajectories for a command: the daemon of this folder if one runs, otherwise this process.

import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { Size } from '../core/screen.ts';
import { FolderInUseError } from '../data/files/lock.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import type { ExportReport, ImportReport } from '../protocol/daemon/exchange.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';
import type { DaemonParams } from '../protocol/daemon/messages.ts';
import { RunFolders } from '../run/folders/run-folders.ts';
import { DialledDaemon } from '../server/daemon-client.ts';
import type { CliContext } from './context.ts';
import { openRuns } from './foreground.ts';

/** The caller closes it. */
export interface OpenExchange {
  import(params: DaemonParams<'trajectories.import'>): Promise<ImportReport>;
  export(params: DaemonParams<'trajectories.export'>): Promise<ExportReport>;
  close(): Promise<void>;
}

/** `command` is the name that the daemon logs. */
export async function exchangeFor(context: CliContext, command: string): Promise<OpenExchange> {
  const found = await findDaemon(join(context.folder, DAEMON_FILE));
  if (found.kind !== 'running') return inThisProcess(context);
  const daemon = await DialledDaemon.dial(found.daemon, command);
  return {
    import: params => daemon.ask('trajectories.import', params),
    export: params => daemon.ask('trajectories.export', params),
    close: async () => daemon.close(),
  };
}

async function inThisProcess(context: CliContext): Promise<OpenExchange> {
  try {
    await new RunFolders(context.root).prepare();
    const runs = await openRuns(context)(context.printError);
    return {
      import: params => runs.exchange.import(params),
      export: params => runs.exchange.export(params),
      close: () => runs.close(),
    };
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new Error(
      `Another process has the trajectories of this folder open, and it is no daemon that could exchange them (${error.message}). Wait until it ends, or end it.`,
      { cause: error },
    );
  }
}

const MAX_SIDE = 65_535;

export const screenOption = (): Option =>
  new Option(
    '--screen <size>',
    'size of the desktop, for trajectories without pictures (default: 1920x1080)',
  ).argParser(parseScreen);

function parseScreen(text: string): Size {
  const [, width, height] = /^(\d{1,5})[x×](\d{1,5})$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  if (size.width >= 1 && size.height >= 1 && size.width <= MAX_SIDE && size.height <= MAX_SIDE) return size;
  throw new InvalidArgumentError(`Give width and height in pixels up to ${MAX_SIDE}, as 1280x720.`);
}
