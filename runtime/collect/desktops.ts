// The desktops of a collection in this process. A collection without any working desktop ends with the reason.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import { DesktopPool, NO_DESKTOP_TIMEOUT_MS, noDesktopError } from '../environments/pool.ts';

interface CollectDesktopsOptions {
  readonly make: (index: number) => Promise<Desktop>;
  readonly size: number;
  readonly environments: Pick<Config['environments'], 'mostEpisodes' | 'mostAgeMinutes'>;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  readonly clock: Clock;
}

interface CollectDesktops {
  readonly pool: DesktopPool;
  /** Aborted with the reason when no desktop works. */
  readonly failed: AbortSignal;
}

export function collectDesktops(options: CollectDesktopsOptions): CollectDesktops {
  const { make, size, environments, health, clock } = options;
  const { mostEpisodes, mostAgeMinutes } = environments;
  const without = new AbortController();
  let since: number | undefined;
  const pool: DesktopPool = new DesktopPool({
    ...{ make, size, clock },
    ...{ maxEpisodes: mostEpisodes, maxAgeMs: 60_000 * mostAgeMinutes },
    health: (thing, healthy, message) => {
      health(thing, healthy, message);
      const isWithout = !healthy && pool.currentUses().every(use => use === 'broken');
      since = isWithout ? (since ?? clock.now()) : undefined;
      if (since !== undefined && clock.now() - since >= NO_DESKTOP_TIMEOUT_MS)
        without.abort(noDesktopError(message));
    },
  });
  return { pool, failed: without.signal };
}
