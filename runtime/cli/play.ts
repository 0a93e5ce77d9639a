// `dartboard play`: serves a page on which a person uses the pocket desktop.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { identityOf, thisProcess } from '../core/process-identity.ts';
import { seeded } from '../core/rng.ts';
import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, suiteOf } from '../environments/pocket/tasks/suite.ts';
import { PLAY_VERSION } from '../protocol/play.ts';
import { publishDaemon } from '../server/daemon-file.ts';
import { startPlay } from '../server/play/server.ts';
import type { CliContext } from './context.ts';
import { portOption } from './options.ts';
import { browserHint } from './terminal/output.ts';

/** The folder of a workspace's own tasks. */
const TASKS_FOLDER = '.dartboard/tasks';
/** The file with the address, for output that is no terminal. Only its owner can read it. */
const PLAY_FILE = '.dartboard/play.json';

interface PlayOptions {
  readonly port: number;
  readonly tasks?: string;
}

export function addPlayCommand(program: Command, context: CliContext): void {
  program
    .command('play')
    .description('Use the pocket desktop by hand in a browser: pick a task, and be judged.')
    .addOption(portOption())
    .option('--tasks <folder>', `folder with task files of your own (default: ${TASKS_FOLDER}, if it exists)`)
    .action((options: PlayOptions) => play(context, options));
}

async function play(context: CliContext, options: PlayOptions): Promise<void> {
  const { pages, clock, output, stopSignal } = context;
  const token = randomBytes(24).toString('base64url');
  const tasks = options.tasks ?? (existsSync(TASKS_FOLDER) ? TASKS_FOLDER : undefined);
  const templates = tasks === undefined ? [] : await templatesFrom(tasks);
  const server = await startPlay({
    pages,
    port: options.port,
    token,
    suite: suiteOf([...POCKET.templates, ...templates]),
    clock,
    random: seeded(randomBytes(16).toString('hex')),
  });
  const { port, address: url } = server;
  const about = { ...identityOf(thisProcess()), port, token, url, version: PLAY_VERSION };
  const unpublish = output.isTTY
    ? undefined
    : await publishDaemon(join(context.folder, PLAY_FILE), { ...about, startedAt: clock.now() });
  const stop = stopSignal();
  if (tasks !== undefined)
    output.write(`\n  ${templates.length} ${templates.length === 1 ? 'task' : 'tasks'} from ${tasks}\n`);
  output.write(`
  The pocket desktop, with tasks and a judge.

  ${browserHint(output, url, PLAY_FILE)}
  Ctrl-C stops.

`);
  if (!stop.aborted)
    await new Promise<void>(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
  await unpublish?.();
  await server.close();
}
