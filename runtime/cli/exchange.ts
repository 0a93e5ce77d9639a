// Opens the exchange of trajectories for a command: the daemon of this folder if one runs, otherwise this process.

import { InvalidArgumentError, Option } from 'commander';
import type { Size } from '../core/screen.ts';
import type { ExportReport, ImportReport } from '../protocol/daemon/exchange.ts';
import type { DaemonParams } from '../protocol/daemon/messages.ts';
import { RunFolders } from '../run/folders/run-folders.ts';
import type { CliContext } from './context.ts';
import { openInDaemonOrHere } from './daemon-or-here.ts';
import { openRuns } from './foreground.ts';

/** The caller closes it. */
export interface OpenExchange {
  import(params: DaemonParams<'trajectories.import'>): Promise<ImportReport>;
  export(params: DaemonParams<'trajectories.export'>): Promise<ExportReport>;
  close(): Promise<void>;
}

/** `command` is the name that the daemon logs. */
export function exchangeFor(context: CliContext, command: string): Promise<OpenExchange> {
  const printed = new Set<string>();
  return openInDaemonOrHere<OpenExchange>(context, command, {
    throughDaemon: daemon => ({
      import: params => daemon.ask('trajectories.import', params),
      export: params => daemon.ask('trajectories.export', params),
      close: async () => daemon.close(),
    }),
    here: () =>
      inThisProcess(context, text => {
        // Each attempt to open repeats its notices.
        if (!printed.has(text)) context.printError(text);
        printed.add(text);
      }),
  });
}

async function inThisProcess(context: CliContext, notice: (text: string) => void): Promise<OpenExchange> {
  await new RunFolders(context.root).prepare();
  const runs = await openRuns(context)(notice);
  return {
    import: params => runs.exchange.import(params),
    export: params => runs.exchange.export(params),
    close: () => runs.close(),
  };
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
