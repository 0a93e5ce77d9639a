// `dartboard serve`: the daemon alone, for web pages and editors. With an option, desktops for other programs instead.

import { join } from 'node:path';
import type { Command } from 'commander';
import { untilAborted } from '../core/run-together.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { openDaemon } from '../server/daemon.ts';
import type { CliContext } from './context.ts';
import { openRuns, type RunsContext } from './foreground.ts';
import { isGiven, portOption } from './options.ts';
import { addGuestsOptions, type GuestsCommandOptions, requireGuests, serveGuests } from './serve-guests.ts';
import {
  addOpenEnvOptions,
  type OpenEnvCommandOptions,
  requireOpenEnv,
  serveOpenEnv,
} from './serve-openenv.ts';
import { browserHint } from './terminal/output.ts';

export interface ServeCommandOptions {
  readonly port: number;
  readonly keepTraining?: boolean;
  readonly readOnly?: boolean;
  /** The place in the page that the printed address opens. */
  readonly place?: string;
}

export function addServeCommand(program: Command, context: CliContext): void {
  const command = program
    .command('serve')
    .description(
      'Run the daemon for web pages and editors. It exits when no client has been connected for 30 s. With --openenv or --guests: serve desktops to other programs.',
    )
    .addOption(portOption())
    .option('--keep-training', 'stay while a run trains, even without clients')
    .option('--read-only', 'refuse to train, annotate and collect');
  addOpenEnvOptions(command);
  addGuestsOptions(command);
  command.action((options: ServeCommandOptions & OpenEnvCommandOptions & GuestsCommandOptions) => {
    if (options.guests !== undefined) {
      if (isGiven(command, 'port'))
        throw new RangeError('--port has no effect with --guests. Use --first-port.');
      return serveGuests(context, withoutOtherServers(options));
    }
    requireGuests(options);
    if (options.openenv) return serveOpenEnv(context, withoutDaemonOptions(options));
    requireOpenEnv(options);
    return serve({ ...context, open: openRuns(context) }, options);
  });
}

/** Throws a RangeError for an option of OpenEnv or of the daemon. */
function withoutOtherServers(
  options: ServeCommandOptions & OpenEnvCommandOptions & GuestsCommandOptions,
): GuestsCommandOptions {
  const used = options.openenv
    ? '--openenv'
    : options.keepTraining
      ? '--keep-training'
      : options.readOnly
        ? '--read-only'
        : undefined;
  if (used !== undefined)
    throw new RangeError(
      `${used} has no effect with --guests, which serves the guest API alone. Leave out one of them.`,
    );
  const { host: _, ...others } = options;
  requireOpenEnv(others);
  return options;
}

/** Throws a RangeError for an option of the daemon. */
function withoutDaemonOptions<Options extends ServeCommandOptions>(options: Options): Options {
  const used = options.keepTraining ? '--keep-training' : options.readOnly ? '--read-only' : undefined;
  if (used === undefined) return options;
  throw new RangeError(`${used} has no effect with --openenv, which runs no daemon. Leave out one of them.`);
}

export async function serve(context: RunsContext, options: ServeCommandOptions): Promise<void> {
  const { open, folder, pages, clock, output, environment, stopSignal } = context;
  const { port, keepTraining = false, readOnly = false, place = '' } = options;
  const stop = stopSignal();
  const say = (text: string): void => {
    output.write(`${text}\n`);
  };
  const daemon = await openDaemon({
    ...{ port, keepTraining, readOnly, pages, folder, environment, clock, say },
    open: () => open(say),
    file: join(folder, DAEMON_FILE),
  });
  const { server } = daemon;
  say(`
  Dartboard serves the runs of ${folder}

  ${browserHint(output, `${server.address}${place}`)}
  ${server.life.says}
  Ctrl-C stops.
`);
  await Promise.race([untilAborted(stop), server.over]);
  say(
    stop.aborted
      ? '  Stopping: a run that trains writes a checkpoint.'
      : '  No client has been connected for 30 s: the daemon exits.',
  );
  await daemon.close();
}
