// The server of the daemon: the page that shows a run, and the WebSocket on which pages, editors and terminals send requests.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { FailedTokens } from '../core/failed-tokens.ts';
import { DAEMON_PATH, DAEMON_VERSION, type DaemonLife, request } from '../protocol/daemon/messages.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { DaemonSession } from './daemon-session.ts';
import { addressWith, listen } from './http/listen.ts';
import { readPages } from './http/static-files.ts';
import { type KeepTraining, Lifetime } from './lifetime.ts';
import type { Runs } from './runs.ts';
import { connectClient } from './socket-client.ts';

/** A configuration is a few kilobytes; an export may name thousands of trajectories. */
const MAX_REQUEST_BYTES = 1024 * 1024;

export interface ServerOptions {
  /** The folder of the page's files. */
  readonly pages: URL;
  /** 0 takes any free port. */
  readonly port: number;
  /** Authenticates clients. */
  readonly token: string;
  readonly runs: Runs;
  /** Throws an error that names the setting. */
  readonly parseConfig: (value: unknown) => Config;
  readonly clock: Clock;
  /** Whether training continues without clients. Clients may change it, unless it is 'always'. */
  readonly keepTraining: KeepTraining;
  /** Rejects every request that changes something. */
  readonly readOnly?: boolean;
}

export interface DaemonServer {
  readonly port: number;
  /** For a browser, with the token. */
  readonly address: string;
  readonly life: DaemonLife;
  /** Resolves when the daemon is no longer needed. The server continues until it is closed. */
  readonly over: Promise<void>;
  /** Closes all connections; resolves when nothing is left open. Runs are not affected. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<DaemonServer> {
  const { pages, port, token, runs, parseConfig, clock, keepTraining, readOnly = false } = options;
  const files = await readPages(pages, 'panels');
  const life = new Lifetime({ clock, keepTraining });
  const noteStatus = ({ run, status }: Pick<RunState, 'run' | 'status'>) =>
    life.training(run, IS_TRAINING[status]);
  const unwatch = runs.watch(noteStatus);
  try {
    for (const run of await runs.list()) noteStatus(run);
    const context = { runs, parseConfig, life, readOnly };
    const failedTokens = new FailedTokens(clock);
    const listener = await listen({
      pages: files,
      port,
      socketPath: DAEMON_PATH,
      maxMessageBytes: MAX_REQUEST_BYTES,
      connect: (socket, takeSlot) =>
        connectClient(socket, takeSlot, {
          ...{ version: DAEMON_VERSION, request, token, failedTokens, clock },
          enter: client => new DaemonSession(client, context),
        }),
      clock,
    });
    return {
      port: listener.port,
      address: addressWith(token, listener.port),
      get life() {
        return life.now;
      },
      over: life.over,
      async close() {
        unwatch();
        life.close();
        await listener.close();
      },
    };
  } catch (error) {
    unwatch();
    life.close();
    throw error;
  }
}

/** A paused run waits for a client, so it does not keep the daemon alive. */
const IS_TRAINING: Readonly<Record<RunState['status'], boolean>> = {
  starting: true,
  running: true,
  stopping: true,
  paused: false,
  ended: false,
  failed: false,
};
