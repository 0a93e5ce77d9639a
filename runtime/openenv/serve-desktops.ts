// Serves the desktops of a configuration under OpenEnv: opens the kind, starts the pool, waits for the first desktops, and listens.

import { randomInt, randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { desktopId } from '../core/ids.ts';
import { ProcessorTime } from '../core/processor-time.ts';
import { type DesktopPool, poolLimits } from '../environments/pool.ts';
import { watchedPool } from '../environments/watched-pool.ts';
import { openKind } from '../run/host/host-kinds.ts';
import type { ObservationMode } from './observation.ts';
import { type OpenEnvServer, type OpenEnvServerOptions, startOpenEnvServer } from './server.ts';

export interface ServeDesktopsOptions
  extends Pick<OpenEnvServerOptions, 'port' | 'host' | 'token' | 'idleMs'> {
  readonly config: Config;
  /** The number of desktops, and of sessions. */
  readonly sessions: number;
  readonly observation: ObservationMode;
  /** Reports desktops that fail, and that work again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** Aborted when the user stops before all desktops are ready. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
  /** Opens the kind of the configuration; `openKind` if absent. */
  readonly open?: typeof openKind;
}

export interface ServedDesktops extends Omit<OpenEnvServer, 'close'> {
  /** Desktops that wait for an episode. */
  readonly freeDesktops: number;
  /** Ends the sessions, the desktops and their kind. */
  close(): Promise<void>;
}

/** The name of the containers' owner, among the runs. */
const OWNER = 'openenv';
/** A model: the built-in policy, which alone sees larger screens scaled, never acts for a client. */
const CLIENT_AGENT = 'client';
/** The client gives up after 60 s. A reset waits for a desktop first, for at most LEASE_TIMEOUT_MS. */
const RESET_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/** Listens when all desktops are ready, so that no client waits for a start. Rejects if the kind is not available on this machine, or no desktop starts. */
export async function serveDesktops(options: ServeDesktopsOptions): Promise<ServedDesktops> {
  const { config, sessions, clock, open = openKind } = options;
  /** By thing, the latest last. */
  const problems = new Map<string, string>();
  const health = (thing: string, healthy: boolean, message: string): void => {
    problems.delete(thing);
    if (!healthy) problems.set(thing, `${thing}: ${message}`);
    options.health(thing, healthy, message);
  };
  const kind = await open({
    ...{ run: `${OWNER}-${randomUUID().slice(0, 8)}`, config: { ...config, agent: CLIENT_AGENT } },
    ...{ health, clock, resetTimeoutMs: RESET_TIMEOUT_MS },
  });
  const time = new ProcessorTime();
  const { pool, failed } = watchedPool({
    ...{ size: sessions, clock, health },
    make: index => kind.make(desktopId(`${OWNER}-${index}`), time),
    ...poolLimits(config.environments),
  });
  const closeDesktops = async (): Promise<void> => {
    await pool.close();
    await kind.close();
  };
  try {
    await untilReady(pool, options, failed);
    const server = await startOpenEnvServer({
      ...{ kind: config.environments.kind, suite: kind.suite, observation: options.observation },
      ...{ port: options.port, idleMs: options.idleMs, max: sessions, clock },
      ...(options.host !== undefined && { host: options.host }),
      ...(options.token !== undefined && { token: options.token }),
      desktops: {
        lease: signal => pool.lease(signal),
        unavailable: () => unavailable(pool, [...problems.values()].at(-1)),
      },
      drawSeed: () => randomInt(2 ** 32),
      newId: randomUUID,
    });
    return {
      ...{ port: server.port, url: server.url },
      get activeSessions() {
        return server.activeSessions;
      },
      get freeDesktops() {
        return pool.counts().free;
      },
      async close() {
        // Together: a reset that hangs ends only when its desktop closes, and the server waits for it.
        await Promise.all([server.close(), pool.close()]);
        await kind.close();
      },
    };
  } catch (error) {
    await closeDesktops();
    throw error;
  }
}

/** Rejects with the problem if all desktops fail to start. While only some fail, the pool repeats their start. */
async function untilReady(
  pool: DesktopPool,
  { clock, stop }: Pick<ServeDesktopsOptions, 'clock' | 'stop'>,
  failed: AbortSignal,
): Promise<void> {
  for (;;) {
    stop.throwIfAborted();
    failed.throwIfAborted();
    if (!pool.currentUses().some(use => use === 'starting' || use === 'broken')) return;
    await clock.sleep(POLL_MS, stop);
  }
}

/** A session waits for a desktop that is idle, starts or is being replaced, but not for one that failed to start. */
export const unavailable = (pool: DesktopPool, problem: string | undefined): string | undefined =>
  pool.canServeSoon()
    ? undefined
    : `No desktop is free. ${sentenceOf(problem ?? 'All are in use')} Send the reset again later.`;
