// Runs the command of the user that restores a guest. Processes that it leaves behind, such as a started virtual machine, are not waited for.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { requirePipes } from '../child-pipes.ts';
import { killGroup } from '../kill-group.ts';

/** Longer than the slowest snapshot. */
const TIMEOUT_MS = 600_000;
const MAX_ERROR_CHARACTERS = 2000;
/** The last messages of a command that failed may still be in the pipe, which other processes can hold open. */
const LAST_MESSAGE_MS = 500;

export interface RevertCommand {
  readonly command: string;
  /** The command finds it in its environment. */
  readonly address: string;
  readonly clock: Clock;
  /** Aborted when the guest is not needed any more: the command and its processes are killed. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Resolves as soon as the command exits with 0. Rejects with a BoundaryError, or with the reason of the signal. */
export async function runRevert(options: RevertCommand): Promise<void> {
  const { command, address, clock, signal, timeoutMs = TIMEOUT_MS } = options;
  signal.throwIfAborted();
  const child = spawn('sh', ['-c', command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C in a terminal must not end it half-way, and `killGroup` reaches all of it.
    detached: process.platform !== 'win32',
    env: { ...process.env, DARTBOARD_GUEST: address },
  });
  let errors = '';
  try {
    requirePipes(child, `the command '${command}'`);
    const { stderr } = child;
    // It is read to the end: a closed pipe would kill a virtual machine that writes to it. It keeps no process alive.
    stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MAX_ERROR_CHARACTERS);
    });
    if (stderr instanceof Socket) stderr.unref();
    // A program that does not start rejects the next wait.
    const closed = once(child, 'close').catch(() => undefined);
    const [code, killedBy] = await withDeadline(once(child, 'exit'), {
      ...{ what: `the command '${command}'`, ms: timeoutMs, clock, signal },
    });
    if (code === 0) return;
    await Promise.race([closed, clock.sleep(LAST_MESSAGE_MS)]);
    const how = code === null ? String(killedBy) : `exit code ${code}`;
    throw new Error(`the command '${command}' failed: ${errors.trim() || how}`);
  } catch (error) {
    if (child.exitCode === null && child.signalCode === null) killGroup(child);
    signal.throwIfAborted();
    const lastMessage = errors.trim();
    const ending =
      error instanceof DeadlineExceeded && lastMessage !== ''
        ? ` Its last message: ${sentenceOf(lastMessage)}`
        : '';
    const message = `${sentenceOf(error)}${ending} Run it by hand with DARTBOARD_GUEST=${address}.`;
    throw new BoundaryError(
      { boundary: 'environment', thing: `guest ${address}`, message },
      { cause: error },
    );
  }
}
