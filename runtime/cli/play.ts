// `dartboard play`: serves a page on which a person uses the pocket desktop.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { seeded } from '../core/rng.ts';
import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, suiteOf } from '../environments/pocket/tasks/suite.ts';
import { startPlay } from '../server/play/server.ts';
import type { CliContext } from './context.ts';
import { portOption } from './options.ts';

/** The folder of a workspace's own tasks. */
const TASKS_FOLDER = '.dartboard/tasks';

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

async function play({ pages, clock, output, stopSignal }: CliContext, options: PlayOptions): Promise<void> {
  const folder = options.tasks ?? (existsSync(TASKS_FOLDER) ? TASKS_FOLDER : undefined);
  const templates = folder === undefined ? [] : await templatesFrom(folder);
  const server = await startPlay({
    pages,
    port: options.port,
    token: randomBytes(24).toString('base64url'),
    suite: suiteOf([...POCKET.templates, ...templates]),
    clock,
    random: seeded(randomBytes(16).toString('hex')),
  });
  const stop = stopSignal();
  if (folder !== undefined)
    output.write(`\n  ${templates.length} ${templates.length === 1 ? 'task' : 'tasks'} from ${folder}\n`);
  output.write(`
  The pocket desktop, with tasks and a judge.

  Open ${server.address} in a browser.
  Ctrl-C stops.

`);
  if (!stop.aborted)
    await new Promise<void>(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
}
