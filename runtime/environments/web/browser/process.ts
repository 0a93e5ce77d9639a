// The operating system's side of a browser: its process group and the pipes of its debugging protocol.

import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { killGroup } from '../../kill-group.ts';

/** In lines that repeat what a page wrote to its console. */
const CONSOLE = ':CONSOLE:';
const MAX_ERROR_CHARACTERS = 1000;
const LAST_MESSAGE_MS = 1000;

export interface BrowserProcess {
  readonly pid: number;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves after the process has ended, or could not be started, with the reason. Never rejects. */
  readonly ended: Promise<string>;
  /** Kills the browser and the processes that it started. The first reason becomes that of `ended`. */
  kill(reason: string): void;
}

export interface ProcessOptions {
  readonly path: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function startBrowserProcess({ path, flags, environment }: ProcessOptions): BrowserProcess {
  const child = spawn(path, flags, {
    // File descriptors 3 and 4 are the debugging pipe. A browser exits when it is closed, and so with this process.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C in a terminal must not end the browser before its desktops, and `kill` reaches all of it.
    detached: process.platform !== 'win32',
    windowsHide: true,
    env: environment,
  });
  // Without a listener, a program that cannot be started would end this process.
  child.on('error', () => undefined);
  // Node's types do not know which of the streams exist; without a free file descriptor there are none.
  const [, , errors, input, output] = (child.stdio as readonly unknown[] | undefined) ?? [];
  if (!(input instanceof Writable) || !(output instanceof Readable) || !(errors instanceof Readable))
    throw new Error(
      `Cannot open the pipes of the browser '${path}'. Check the limit of open files (ulimit -n).`,
    );
  let lastErrors = '';
  errors.setEncoding('utf8').on('data', (text: string) => {
    lastErrors = (lastErrors + text).slice(-MAX_ERROR_CHARACTERS);
  });
  let killedFor: string | undefined;
  const ended = new Promise<string>(resolve => {
    child.once('error', error => {
      if (child.pid === undefined) resolve(`cannot start '${path}': ${error.message}.`);
    });
    child.once('exit', (code, signal) => {
      // Its children end by themselves when their pipes close, unless they hang.
      killGroup(child);
      const how = signal === null ? `exit code ${code}` : signal;
      const report = () => {
        const lines = lastErrors.trim().split('\n');
        const lastError = lines.findLast(line => !line.includes(CONSOLE)) ?? '';
        resolve(
          killedFor ?? `the browser ended with ${how}.${lastError && ` Its last message: ${lastError}`}`,
        );
      };
      // What it wrote last may still be in the pipe. A process that left the group can keep the pipe open.
      const late = setTimeout(report, LAST_MESSAGE_MS);
      void finished(errors)
        .catch(() => undefined)
        .then(() => {
          clearTimeout(late);
          report();
        });
    });
  });
  const kill = (reason: string) => {
    killedFor ??= reason;
    killGroup(child);
  };
  return { pid: child.pid ?? 0, input, output, ended, kill };
}
