// The command line.

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { demonstrate } from './demonstration.ts';
import { start } from './start.ts';

/** Where a workspace keeps tasks of its own. */
const TASKS = '.dartboard/tasks';

const USAGE = `dartboard start [--port NUMBER] [--tasks FOLDER]
dartboard demonstrate [--seed TEXT] [--out FOLDER]

  start         a page in the browser: use the pocket desktop by hand, pick a task, and be judged
    --port      where it listens on this machine (default: any free port)
    --tasks     a folder with task files of your own (default: ${TASKS}, where there is one)

  demonstrate   the engine at work: a small network learns to point, in a few seconds
    --seed      where all chance comes from (default: dartboard)
    --out       where the trained weights go (default: out/demonstration)
`;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  async start(args) {
    const { values } = parseArgs({
      args,
      options: { port: { type: 'string', default: '0' }, tasks: { type: 'string' } },
    });
    const port = portOf(values.port);
    const tasks = values.tasks ?? (existsSync(TASKS) ? TASKS : undefined);
    const stop = new AbortController();
    // Once: a second Ctrl-C ends a program that does not find its end.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    await start({ pages: new URL('./webview/', import.meta.url), port, tasks, say, stop: stop.signal });
  },

  async demonstrate(args) {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string', default: 'dartboard' },
        out: { type: 'string', default: 'out/demonstration' },
      },
    });
    await demonstrate({
      engineEntry: new URL('./engine.js', import.meta.url),
      folder: values.out,
      say,
      colour: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
      seed: values.seed,
    });
  },
};

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new RangeError(`--port takes a whole number from 0 to 65535, not '${text}'.`);
}

async function run([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined || command === 'help' || [command, ...args].includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const found = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (found === undefined) throw new RangeError(`There is no command '${command}'.\n\n${USAGE}`);
  await found(args);
}

// Whoever reads the output may have read enough: `| head` is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
