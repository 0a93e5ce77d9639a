// The daemon of a workspace: its runs, the server for pages and editors, and the file by which these find it. Opened and closed as
// one; how long it lives is decided by whoever opened it.

import { randomBytes } from 'node:crypto';
import { parseConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { identityOf, thisProcess } from '../core/process-identity.ts';
import { InUse } from '../data/files/lock.ts';
import { DAEMON_VERSION } from '../protocol/daemon/messages.ts';
import { publishDaemon, refuseSecond } from './daemon-file.ts';
import type { Runs } from './runs.ts';
import { type DaemonServer, startServer } from './server.ts';

export interface OpenRuns extends Runs {
  /** Stops what trains, with a checkpoint. */
  close(): Promise<void>;
}

export interface DaemonOptions {
  readonly open: () => Promise<OpenRuns>;
  /** Where the page's files are. */
  readonly pages: URL;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly keepTraining: boolean;
  /** Refuses all that would change anything. */
  readonly readOnly?: boolean;
  /** Where it is published. */
  readonly file: string;
  readonly clock: Clock;
  /** What whoever waits for it should know. */
  readonly say: (text: string) => void;
}

export interface Daemon {
  readonly runs: Runs;
  readonly server: DaemonServer;
  /** Ends what trains with a checkpoint, while clients still see it; resolves when nothing is left open. */
  close(): Promise<void>;
}

/** Rejects, and leaves nothing open, where another daemon runs in the workspace. */
export async function openDaemon({ open, file, say, ...options }: DaemonOptions): Promise<Daemon> {
  const { clock } = options;
  const token = randomBytes(24).toString('base64url');
  const runs = await openedAlone({ open, file, say, clock });
  const closings = [() => runs.close()];
  try {
    const server = await startServer({ ...options, token, runs, parseConfig });
    closings.push(() => server.close());
    const about = {
      ...identityOf(thisProcess()),
      port: server.port,
      token,
      url: server.address,
      version: DAEMON_VERSION,
    };
    closings.push(await publishDaemon(file, { ...about, startedAt: clock.now() }));
    return { runs, server, close: () => inTurn(closings) };
  } catch (error) {
    // What went wrong first is what is told.
    await inTurn(closings).catch(() => undefined);
    throw error;
  }
}

/** Milliseconds that another, which begins at the same moment, may take until its file tells of it. */
const COMES_UP = 10_000;
const LOOK_EVERY = 100;
/** Milliseconds after which it is told what is waited for. */
const SOON = 1000;

/** Where another runs that is told, and not what it has taken already. */
async function openedAlone({
  open,
  file,
  say,
  clock,
}: Pick<DaemonOptions, 'open' | 'file' | 'say' | 'clock'>): Promise<OpenRuns> {
  const begun = clock.now();
  let isTold = false;
  for (;;) {
    await refuseSecond(file);
    try {
      return await open();
    } catch (error) {
      const waited = clock.now() - begun;
      if (!(error instanceof InUse) || waited >= COMES_UP) throw error;
      if (!isTold && waited >= SOON) {
        isTold = true;
        say(`Waiting for another Dartboard in this folder to end. ${error.message}`);
      }
    }
    await clock.sleep(LOOK_EVERY);
  }
}

/** Each of them, whatever becomes of those before; rejects with the first that went wrong. */
async function inTurn(closings: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closings) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
