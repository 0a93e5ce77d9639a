// The daemon's server: the page that shows a run, and the socket on which pages, editors and terminals ask for what Runs can do.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { DAEMON_PATH, type DaemonLife } from '../protocol/daemon/messages.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { connect } from './connection.ts';
import { checkOriginIfAny } from './http/auth.ts';
import { addressWith, listen } from './http/listen.ts';
import { readPages } from './http/static-files.ts';
import { Lifetime } from './lifetime.ts';
import type { Runs } from './runs.ts';

/** A configuration is a few kilobytes. */
const LONGEST_REQUEST = 1024 * 1024;

export interface ServerOptions {
  /** Where the page's files are. */
  readonly pages: URL;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Whoever knows it is let in. */
  readonly token: string;
  readonly runs: Runs;
  /** Throws an error that names the key. */
  readonly parseConfig: (value: unknown) => Config;
  readonly clock: Clock;
  /** Whether training goes on when nobody is connected; clients may change it. */
  readonly keepTraining: boolean;
  /** Refuses all that would change anything. */
  readonly readOnly?: boolean;
}

export interface DaemonServer {
  readonly port: number;
  /** For a browser: with the token, which stays in the browser since it stands behind a '#'. */
  readonly address: string;
  /** What it does and waits for, as things stand. */
  readonly life: DaemonLife;
  /** Resolves when nobody needs it any more. It goes on serving: who started it then stops the runs and closes it. */
  readonly over: Promise<void>;
  /** Sends everybody away; resolves when nothing is left open. Runs are left as they are. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<DaemonServer> {
  const { pages, port, token, runs, parseConfig, clock, keepTraining, readOnly = false } = options;
  const files = await readPages(pages, 'panels');
  const life = new Lifetime({ clock, keepTraining });
  const heed = ({ run, status }: Pick<RunState, 'run' | 'status'>) => life.training(run, TRAINS[status]);
  const unwatch = runs.watch(heed);
  try {
    for (const run of await runs.list()) heed(run);
    const connection = { token, runs, parseConfig, clock, life, readOnly };
    const listening = await listen({
      pages: files,
      port,
      socketPath: DAEMON_PATH,
      longest: LONGEST_REQUEST,
      checkOrigin: checkOriginIfAny,
      connect: socket => connect(socket, connection),
      clock,
    });
    return {
      port: listening.port,
      address: addressWith(token, listening.port),
      get life() {
        return life.now;
      },
      over: life.over,
      async close() {
        unwatch();
        life.close();
        await listening.close();
      },
    };
  } catch (error) {
    unwatch();
    life.close();
    throw error;
  }
}

/** A run that is paused needs somebody to continue it, so it keeps nothing alive. */
const TRAINS: Readonly<Record<RunState['status'], boolean>> = {
  starting: true,
  running: true,
  stopping: true,
  paused: false,
  ended: false,
  failed: false,
};
