// The daemon of a workspace: its runs, the server for pages and editors, and the file that tells clients its address. The caller decides
// how long it lives.

import { parseConfig } from '../config/config.ts';
import { ownTaskFolders } from '../config/task-folders.ts';
import { userSettings } from '../config/user-settings.ts';
import type { Clock } from '../core/clock.ts';
import { identityOf, thisProcess } from '../core/process-identity.ts';
import { newToken } from '../core/token.ts';
import { FolderInUseError } from '../data/files/lock.ts';
import { DAEMON_VERSION } from '../protocol/daemon/messages.ts';
import { publishDaemon, refuseSecond } from './daemon-file.ts';
import type { KeepTraining } from './lifetime.ts';
import type { Runs } from './runs.ts';
import { type DaemonServer, startServer } from './server.ts';

export interface OpenRuns extends Runs {
  /** Stops the run that trains, with a checkpoint. */
  close(): Promise<void>;
}

export interface DaemonOptions {
  readonly open: () => Promise<OpenRuns>;
  /** The folder of the page's files. */
  readonly pages: URL;
  /** 0 takes any free port. */
  readonly port: number;
  readonly keepTraining: KeepTraining;
  /** Rejects every request that changes something. */
  readonly readOnly?: boolean;
  /** The file with its address. */
  readonly file: string;
  /** The workspace, for its task files; none by default. */
  readonly folder?: string;
  /** Has the settings of the user; none by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Prints a message for the user. */
  readonly say: (text: string) => void;
}

export interface Daemon {
  readonly runs: Runs;
  readonly server: DaemonServer;
  /** Stops the run that trains while clients still see it; resolves when nothing is left open. */
  close(): Promise<void>;
}

/** Rejects and leaves nothing open when another daemon runs in the workspace. */
export async function openDaemon({
  open,
  file,
  say,
  folder,
  environment = {},
  ...options
}: DaemonOptions): Promise<Daemon> {
  const { clock } = options;
  const token = newToken();
  const runs = await openExclusively({ open, file, say, clock });
  const closings = [() => runs.close()];
  try {
    const server = await startServer({
      ...{ ...options, token, runs },
      parseConfig: value =>
        parseConfig(value, userSettings(environment), folder === undefined ? {} : ownTaskFolders(folder)),
    });
    closings.push(() => server.close());
    const about = {
      ...identityOf(thisProcess()),
      port: server.port,
      token,
      url: server.address,
      version: DAEMON_VERSION,
    };
    closings.push(await publishDaemon(file, { ...about, startedAt: clock.now() }));
    return { runs, server, close: () => closeInOrder(closings) };
  } catch (error) {
    // The first error is the cause.
    await closeInOrder(closings).catch(() => undefined);
    throw error;
  }
}

/** Another daemon that starts at the same time may take this long to publish its file. */
const LOCK_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;
const NOTICE_DELAY_MS = 1000;

/** Opens the runs once no other process has them. Reports a running daemon rather than its lock. */
async function openExclusively({
  open,
  file,
  say,
  clock,
}: Pick<DaemonOptions, 'open' | 'file' | 'say' | 'clock'>): Promise<OpenRuns> {
  const startedAt = clock.now();
  let isReported = false;
  for (;;) {
    await refuseSecond(file);
    try {
      return await open();
    } catch (error) {
      const waited = clock.now() - startedAt;
      if (!(error instanceof FolderInUseError) || waited >= LOCK_TIMEOUT_MS) throw error;
      if (!isReported && waited >= NOTICE_DELAY_MS) {
        isReported = true;
        say(`Waiting for another Dartboard process in this folder to end. ${error.message}`);
      }
    }
    await clock.sleep(POLL_INTERVAL_MS);
  }
}

/** Runs all of them, even if some fail; rejects with the first error. */
async function closeInOrder(closings: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closings) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
