// The client of the daemon that serves one folder: the workspace, or the unpacked sample run.

import { join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../runtime/core/errors.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { DAEMON_FILE, type DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { findDaemon } from '../../runtime/protocol/daemon/find-daemon.ts';
import type { CommandLine } from '../program.ts';
import { DaemonClient } from './client.ts';
import { type ConnectionListener, DaemonConnection } from './connection.ts';
import { startDaemon } from './start.ts';

interface Options {
  readonly folder: string;
  /** The program that starts the daemon; it fails if the folder is not trusted. */
  readonly program: () => CommandLine | Promise<CommandLine>;
  /** A file for the output of the daemon. */
  readonly output: string;
  readonly log: (message: string) => void;
}

export const clientOf = ({ folder, program, output, log }: Options): DaemonClient =>
  new DaemonClient({
    clock: systemClock,
    log,
    find: () => daemonOf(folder),
    start: onExit => {
      log(`The daemon writes its output to '${output}'.`);
      void Promise.resolve()
        .then(program)
        .then(
          each => startDaemon(each, output, onExit),
          (error: unknown) => onExit(messageOf(error)),
        );
    },
    connect: connectTo,
  });

export async function daemonOf(folder: string): Promise<DaemonAddress | undefined> {
  const found = await findDaemon(join(folder, DAEMON_FILE));
  return found.kind === 'running' ? found.daemon : undefined;
}

/** The daemon logs the name of the client. */
export const connectTo = (daemon: DaemonAddress, listener: ConnectionListener): DaemonConnection =>
  new DaemonConnection(daemon, `${vscode.env.appName} (Dartboard)`, listener);
