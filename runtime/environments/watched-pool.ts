// A pool of desktops that is given up, with the reason, when no desktop works. A restarted engine needs less time than this takes.

import type { Clock } from '../core/clock.ts';
import { DesktopPool, type DesktopPoolOptions } from './pool.ts';

const NO_DESKTOP_MINUTES = 3;

/** Notices that no desktop starts. The first failure after three minutes counts: its message is the newest. */
export class StartWatch {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failed = new AbortController();
  /** No desktop has worked since then. */
  #since: number | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Aborted with the reason. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** After each failed start. */
  noteFailure(areAllBroken: boolean, thing: string, message: string): void {
    const now = this.#clock.now();
    this.#since = areAllBroken ? (this.#since ?? now) : undefined;
    if (this.#since === undefined || now - this.#since < NO_DESKTOP_MINUTES * 60_000) return;
    const problem = message.startsWith(thing) ? message : `${thing}: ${message}`;
    this.#failed.abort(
      new Error(
        `No desktop has started within ${NO_DESKTOP_MINUTES} minutes. ${problem}. Check the desktops with 'dartboard doctor'.`,
      ),
    );
  }

  noteWorking(): void {
    this.#since = undefined;
  }
}

interface WatchedPool {
  readonly pool: DesktopPool;
  readonly failed: AbortSignal;
}

export function watchedPool({ health, ...options }: DesktopPoolOptions): WatchedPool {
  const watch = new StartWatch(options.clock);
  const pool: DesktopPool = new DesktopPool({
    ...options,
    health: (thing, healthy, message) => {
      health(thing, healthy, message);
      if (healthy) watch.noteWorking();
      else
        watch.noteFailure(
          pool.currentUses().every(use => use === 'broken'),
          thing,
          message,
        );
    },
  });
  return { pool, failed: watch.failed };
}
