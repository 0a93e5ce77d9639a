// `dartboard serve`: the daemon alone, for web pages and editors.

import { join } from 'node:path';
import type { Command } from 'commander';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { openDaemon } from '../server/daemon.ts';
import type { CliContext } from './context.ts';
import { openRuns, type RunsContext } from './foreground.ts';
import { portOption } from './options.ts';
import { browserHint } from './terminal/output.ts';

export interface ServeCommandOptions {
  readonly port: number;
  readonly keepTraining?: boolean;
  readonly readOnly?: boolean;
}

export function addServeCommand(program: Command, context: CliContext): void {
  program
    .command('serve')
    .description('Run the daemon for web pages and editors. It exits 30 s after its last client has left.')
    .addOption(portOption())
    .option('--keep-training', 'stay while a run trains, even without clients')
    .option('--read-only', 'refuse to train, annotate and collect')
    .action((options: ServeCommandOptions) => serve({ ...context, open: openRuns(context) }, options));
}

export async function serve(context: RunsContext, options: ServeCommandOptions): Promise<void> {
  const { open, folder, pages, clock, output, stopSignal } = context;
  const { port, keepTraining = false, readOnly = false } = options;
  const stop = stopSignal();
  const say = (text: string): void => {
    output.write(`${text}\n`);
  };
  const daemon = await openDaemon({
    ...{ port, keepTraining, readOnly, pages, clock, say },
    open: () => open(say),
    file: join(folder, DAEMON_FILE),
  });
  const { server } = daemon;
  say(`
  Dartboard serves the runs of ${folder}

  ${browserHint(output, server.address)}
  ${server.life.says}
  Ctrl-C stops.
`);
  const forget = new AbortController();
  const stopped = new Promise<'stopped'>(resolve => {
    if (stop.aborted) resolve('stopped');
    else stop.addEventListener('abort', () => resolve('stopped'), { once: true, signal: forget.signal });
  });
  const cause = await Promise.race([stopped, server.over]);
  forget.abort();
  say(
    cause === 'stopped'
      ? '  Stopping: a run that trains writes a checkpoint.'
      : '  The last client has left: the daemon exits.',
  );
  await daemon.close();
}
