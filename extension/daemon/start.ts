// Starts the daemon detached, so that it outlives this window: other windows share it, and a reloaded window
// finds it again. Its output goes to a log file that only the user can read, because the daemon prints its
// address with the token.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, sentenceOf } from '../../runtime/core/errors.ts';
import { type CommandLine, childEnvironment } from '../program.ts';

/** Calls `onExit` once, asynchronously, with the reason why the daemon exited or could not start. */
export function startDaemon(program: CommandLine, log: string, onExit: (reason: string) => void): void {
  let hasExited = false;
  const exit = (reason: string): void => {
    if (hasExited) return;
    hasExited = true;
    setImmediate(() => onExit(reason));
  };
  try {
    spawnDaemon(program, { log, output: outputFor(program, log) }, exit);
  } catch (error) {
    exit(messageOf(error));
  }
}

/** The opened log. Rejects a folder that does not exist: spawn would report a missing program. */
function outputFor({ cwd }: CommandLine, log: string): number {
  if (!existsSync(cwd))
    throw new Error(
      `The Dartboard daemon cannot be started in '${cwd}': the folder does not exist. Create it again, or open another folder.`,
    );
  try {
    return openLog(log);
  } catch (error) {
    throw new Error(`The log '${log}' of the Dartboard daemon cannot be written: ${sentenceOf(error)}`);
  }
}

const startFailure = ({ file }: CommandLine, error: unknown): string =>
  `The Dartboard daemon cannot be started with '${file}': ${sentenceOf(error)} Check the setting 'dartboard.node'.`;

/** `output` is the opened log. */
function spawnDaemon(
  program: CommandLine,
  { log, output }: { readonly log: string; readonly output: number },
  exit: (reason: string) => void,
): void {
  let child: ChildProcess;
  try {
    child = spawn(program.file, [...program.args], {
      cwd: program.cwd,
      env: { ...childEnvironment(process.env), ...program.env },
      stdio: ['ignore', output, output],
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    // spawn throws on some invalid programs, such as a script without an interpreter.
    throw new Error(startFailure(program, error));
  } finally {
    closeSync(output);
  }
  child.once('error', error => exit(startFailure(program, error)));
  child.once('exit', (code, signal) => {
    // A program that a signal ends prints nothing about it.
    const reason = signal === null ? printedReason(log) : undefined;
    const status = signal ?? `code ${code} and printed nothing`;
    exit(reason ?? `The Dartboard daemon exited with ${status}. See '${log}'.`);
  });
  child.unref();
}

/** Keeps the log of the previous daemon under another name, because it may show why that one failed. */
function openLog(log: string): number {
  mkdirSync(dirname(log), { recursive: true });
  try {
    renameSync(log, `${log}.before`);
  } catch {
    // There was no log, or on Windows the daemon of another window still writes to it: it is overwritten.
  }
  return openSync(log, 'w', 0o600);
}

/** Node prints an uncaught exception in this order: its name and message, its stack, its fields, and the version of Node. */
const CRASH_END = /^Node\.js v\d/;
const CRASH_MESSAGE = /^\w*Error( \[\w+\])?: /;
const STACK_FRAME = /^\s+at /;

/** The daemon prints its error message last. */
function printedReason(log: string): string | undefined {
  try {
    const lines = readFileSync(log, 'utf8')
      .split('\n')
      .filter(line => line.trim() !== '' && !STACK_FRAME.test(line));
    if (!CRASH_END.test(lines.at(-1) ?? '')) return lines.at(-1)?.trim();
    return (lines.findLast(line => CRASH_MESSAGE.test(line)) ?? lines.at(-2))?.trim();
  } catch {
    // Somebody deleted the log; the exit status has to do.
    return undefined;
  }
}
