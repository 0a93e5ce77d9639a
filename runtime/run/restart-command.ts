// Runs the command of a user that restarts a server of a model.

import { spawn } from 'node:child_process';
import type { RunCommand } from '../endpoints/rolling/restart-way.ts';
import { NO_CONSOLE_WINDOW } from '../rpc/heap-flags.ts';

/**
 * Without a shell, so that no text of the configuration is read as shell code. A server that the command starts in the background survives
 * this process: it has no pipe to it, and a process group of its own, which Ctrl-C does not reach.
 */
export const runRestartCommand =
  (environment: Readonly<Record<string, string | undefined>>): RunCommand =>
  ({ command, args = [] }, variables, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const child = spawn(command, [...args], {
        ...{ env: { ...environment, ...variables }, stdio: 'ignore', detached: true, signal },
        ...NO_CONSOLE_WINDOW,
      });
      child.once('error', error => reject(signal.aborted ? signal.reason : error));
      child.once('exit', (code, killedBy) => {
        if (code === 0) resolve();
        else reject(new Error(`It ended with ${killedBy ?? `exit code ${code}`}.`));
      });
    });
