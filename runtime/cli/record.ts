// `dartboard record`: opens the page on which a person records demonstrations. A daemon of this folder serves it if one runs; otherwise this
// process does.

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';
import { DESKTOP_KINDS, type DesktopKind } from '../protocol/desktop-kinds.ts';
import { openSuite, trainingTask } from '../run/suite.ts';
import type { CliContext } from './context.ts';
import { configOfFolder, openRuns } from './foreground.ts';
import { isGiven, portOption } from './options.ts';
import { serve } from './serve.ts';
import { browserHint } from './terminal/output.ts';

interface RecordOptions {
  readonly port: number;
  readonly desktops?: DesktopKind;
}

export function addRecordCommand(program: Command, context: CliContext): void {
  const command = program
    .command('record')
    .argument('[task]', 'the task to do, such as notes-write (default: choose it on the page)')
    .description(
      'Do tasks by hand on a live desktop in a browser. Every run of this folder learns from your successes.',
    )
    .addOption(
      new Option('--desktops <kind>', 'kind of desktops (default: that of dartboard.json)').choices(
        DESKTOP_KINDS.filter(kind => kind !== 'offline'),
      ),
    )
    .addOption(portOption())
    .action((task: string | undefined, options: RecordOptions) =>
      record(context, task, { ...options, asksForPort: isGiven(command, 'port') }),
    );
}

async function record(
  context: CliContext,
  task: string | undefined,
  { port, asksForPort, desktops }: RecordOptions & { readonly asksForPort: boolean },
): Promise<void> {
  const config = await configOfFolder(context.folder, desktops);
  // Also reports a faulty task file before a page is opened.
  const suite = await openSuite(config);
  if (task !== undefined) trainingTask(suite, task, 'TASK');
  const place = placeOf(task, desktops);
  const { output } = context;
  const found = await findDaemon(join(context.folder, DAEMON_FILE));
  if (found.kind !== 'running') return serve({ ...context, open: openRuns(context) }, { port, place });
  const { url } = found.daemon;
  if (url === undefined)
    throw new Error(
      `The daemon of this folder (pid ${found.daemon.pid}) is of an older version. Stop it, and try again.`,
    );
  if (asksForPort && port !== found.daemon.port)
    throw new RangeError(
      `--port ${port} has no effect: the daemon of this folder has port ${found.daemon.port}. Leave out --port, or stop the daemon (pid ${found.daemon.pid}).`,
    );
  output.write(`\n  ${browserHint(output, `${url}${place}`)}\n\n`);
}

/** The panel, as the part of an address that follows the token. */
function placeOf(task: string | undefined, kind: DesktopKind | undefined): string {
  const query = new URLSearchParams({
    ...(task !== undefined && { task }),
    ...(kind !== undefined && { kind }),
  });
  return query.size === 0 ? '/record' : `/record?${query}`;
}
