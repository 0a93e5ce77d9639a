// Ends the program from outside: Ctrl-C, SIGTERM, a closed terminal, or a closed output pipe.

import type { EventEmitter } from 'node:events';

/** A parent such as npm repeats a Ctrl-C that the terminal has sent to this process already. */
const ECHO_MS = 500;
const EXIT_CODE_OF_SIGINT = 130;

/** Windows has no SIGTERM: Ctrl-Break and a closed console take its place. */
const SIGNALS =
  process.platform === 'win32'
    ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const)
    : (['SIGINT', 'SIGTERM'] as const);

/** Set while a command listens for a stop. */
let stopCommand: (() => void) | undefined;

/** Aborted by the first Ctrl-C or by a closed terminal. A second Ctrl-C ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let abortedAt = 0;
  const stop = (): void => {
    if (controller.signal.aborted) return;
    abortedAt = performance.now();
    controller.abort();
  };
  stopCommand = stop;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (controller.signal.aborted && performance.now() - abortedAt > ECHO_MS)
        process.exit(EXIT_CODE_OF_SIGINT);
      stop();
    });
  // Under nohup the output is no terminal and the run continues. Node does not keep nohup's "ignore SIGHUP".
  process.on('SIGHUP', () => {
    if (!process.stdout.isTTY) return;
    // At exit Node resets the terminal, and fails with a stack trace where the terminal is gone. SIGKILL skips that.
    process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
    stop();
  });
  return controller.signal;
}

/**
 * A reader that closes its pipe, as `| head` does, is no failure: the command stops, or the process exits. Any other error, such as a full
 * disk under a log, costs only the text: it must not end a training.
 */
export function endOnBrokenPipe(stream: EventEmitter): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') {
      process.exitCode = 1;
      return;
    }
    if (stopCommand === undefined) process.exit();
    stopCommand();
  });
}
