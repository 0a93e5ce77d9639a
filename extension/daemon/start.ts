// Starts the daemon so that it outlives this window: another window may use it, and a reload comes back to it. It goes by itself when
// nobody is connected any more. What it says goes to a file of its own, since the address that it prints is for nobody else's eyes.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { inherited, type Program } from '../program.ts';

/** `ended` is told why it went, if it goes while this window is there, or why it did not come: always later, and once. */
export function startDaemon(program: Program, log: string, ended: (why: string) => void): void {
  let isOver = false;
  const end = (why: string): void => {
    if (isOver) return;
    isOver = true;
    setImmediate(() => ended(why));
  };
  try {
    started(program, log, end);
  } catch (error) {
    // Some of what cannot be started throws, such as a script where a program is wanted.
    end(`'${program.file}' cannot be started: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function started(program: Program, log: string, ended: (why: string) => void): void {
  const output = emptied(log);
  let child: ChildProcess;
  try {
    child = spawn(program.file, [...program.args], {
      cwd: program.cwd,
      env: { ...inherited(process.env), ...program.env },
      stdio: ['ignore', output, output],
      detached: true,
      windowsHide: true,
    });
  } finally {
    closeSync(output);
  }
  child.once('error', error => ended(`'${program.file}' cannot be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    const how = signal === null ? `code ${code}` : signal;
    ended(lastWords(textOf(log)) ?? `It ended with ${how} and said nothing.`);
  });
  child.unref();
}

/** What the one before said is kept under another name: it may tell why it broke. */
function emptied(log: string): number {
  mkdirSync(dirname(log), { recursive: true });
  try {
    renameSync(log, `${log}.before`);
  } catch {
    // There was none, or another window's daemon still writes to it.
  }
  return openSync(log, 'w', 0o600);
}

/** Nothing where it is gone. */
function textOf(log: string): string {
  try {
    return readFileSync(log, 'utf8');
  } catch {
    return '';
  }
}

/** A program of ours ends with a sentence that says what is wrong. */
const lastWords = (text: string): string | undefined =>
  text
    .split('\n')
    .map(line => line.trim())
    .findLast(line => line !== '');
