// The pool of a run's desktops: it leases them to episodes, replaces old and broken ones, and accounts for their time. The
// caller provides the function that creates a desktop.

import type { Clock } from '../core/clock.ts';
import type { Desktop, Lease, Lender } from '../core/desktop.ts';
import { failureOf } from '../core/failure.ts';
import { retry } from '../core/retry.ts';
import { Line } from '../fabric/line.ts';

export interface DesktopPoolOptions {
  readonly size: number;
  /** Creates the desktop of slot `index`. It may be slow and may reject. */
  readonly make: (index: number) => Promise<Desktop>;
  /** A desktop is replaced after this many episodes or this age. */
  readonly maxEpisodes: number;
  readonly maxAgeMs: number;
  readonly clock: Clock;
  /** Called when a desktop fails to start or breaks, and when it works again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** As the settings name them. */
export const poolLimits = ({
  mostEpisodes,
  mostAgeMinutes,
}: {
  readonly mostEpisodes: number;
  readonly mostAgeMinutes: number;
}): Pick<DesktopPoolOptions, 'maxEpisodes' | 'maxAgeMs'> => ({
  maxEpisodes: mostEpisodes,
  maxAgeMs: 60_000 * mostAgeMinutes,
});

/** The states of a slot. A leased desktop is stepping (a call runs) or waiting for its runner. */
export const DESKTOP_USES = ['starting', 'idle', 'stepping', 'waiting', 'broken'] as const;
export type DesktopUse = (typeof DESKTOP_USES)[number];

/** Milliseconds per state, summed over all desktops. */
export type DesktopTime = Readonly<Record<DesktopUse, number>>;

export class PoolClosed extends Error {
  override readonly name = 'PoolClosed';
}

interface Slot {
  readonly index: number;
  desktop: Desktop | undefined;
  use: DesktopUse;
  since: number;
  born: number;
  /** Since the desktop was created. */
  episodes: number;
  /** Why the desktop is broken. */
  broken: string | undefined;
  /** The last attempt to create the desktop failed. */
  hasFailedToStart: boolean;
  /** The name under which its last failure was reported. */
  reported: string | undefined;
}

export class DesktopPool implements Lender {
  readonly #options: DesktopPoolOptions;
  readonly #slots: readonly Slot[];
  readonly #spent: Record<DesktopUse, number> = { starting: 0, idle: 0, stepping: 0, waiting: 0, broken: 0 };
  readonly #stop = new AbortController();
  /** Waiting leases, first come first served. Empty while a desktop is idle. */
  readonly #queue = new Line<Slot>();
  /** The longest idle first. */
  #idle: Slot[] = [];
  #made = 0;
  #broken = 0;

  constructor(options: DesktopPoolOptions) {
    this.#options = options;
    const now = options.clock.now();
    this.#slots = Array.from({ length: options.size }, (_, index) => ({
      index,
      desktop: undefined,
      use: 'starting',
      since: now,
      born: now,
      episodes: 0,
      broken: undefined,
      hasFailedToStart: false,
      reported: undefined,
    }));
    for (const slot of this.#slots) void this.#start(slot);
  }

  /** Waits for a free desktop. */
  async lease(signal?: AbortSignal): Promise<Lease> {
    signal?.throwIfAborted();
    if (this.#stop.signal.aborted) throw closedError();
    const slot = this.#idle.shift() ?? (await this.#queue.wait(signal));
    this.#uses(slot, 'waiting');
    return this.#leaseOf(slot);
  }

  /** Includes the current state of each slot. */
  timeSpent(): DesktopTime {
    const now = this.#options.clock.now();
    const time = { ...this.#spent };
    for (const { use, since } of this.#slots) time[use] += now - since;
    return time;
  }

  /** The state of each slot. */
  currentUses(): readonly DesktopUse[] {
    return this.#slots.map(({ use }) => use);
  }

  /** False if every desktop is leased or failed to start. */
  canServeSoon(): boolean {
    return this.#slots.some(
      ({ use, hasFailedToStart }) =>
        use === 'idle' || use === 'starting' || (use === 'broken' && !hasFailedToStart),
    );
  }

  counts(): { readonly made: number; readonly broken: number; readonly free: number } {
    return { made: this.#made, broken: this.#broken, free: this.#idle.length };
  }

  /** Closes all desktops, leased or not, and rejects waiting leases. */
  async close(): Promise<void> {
    this.#stop.abort(closedError());
    this.#queue.refuse(closedError());
    this.#idle = [];
    await Promise.all(this.#slots.map(({ desktop }) => desktop?.close()));
  }

  /** Creates the desktop of a slot; retries until the pool closes. */
  async #start(slot: Slot): Promise<void> {
    const { make, clock, health } = this.#options;
    const { signal } = this.#stop;
    const failed = (error: Error, _failures: number, delayMs: number): void => {
      this.#uses(slot, 'broken');
      slot.hasFailedToStart = true;
      this.#broken += 1;
      const name = `desktop ${slot.index}`;
      const { message } = failureOf(error, 'environment', name);
      slot.reported = name;
      health(name, false, `${message}; next attempt in ${delayMs / 1000} s`);
    };
    try {
      const desktop = await retry(() => make(slot.index), { clock, signal, failed });
      if (signal.aborted) return await desktop.close();
      if (slot.reported !== undefined) health(slot.reported, true, 'works again');
      Object.assign(slot, {
        desktop,
        born: clock.now(),
        episodes: 0,
        broken: undefined,
        hasFailedToStart: false,
        reported: undefined,
      });
      this.#made += 1;
      this.#free(slot);
    } catch (error) {
      // `retry` gives up only when the pool closes.
      if (!signal.aborted) throw error;
    }
  }

  #free(slot: Slot): void {
    if (this.#queue.serve(slot)) return;
    this.#uses(slot, 'idle');
    this.#idle.push(slot);
  }

  #leaseOf(slot: Slot): Lease {
    const { desktop } = slot;
    if (desktop === undefined) throw closedError();
    let isReleased = false;
    return {
      desktop: this.#metered(desktop, slot, () => isReleased),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        void this.#release(slot, desktop);
      },
    };
  }

  async #release(slot: Slot, desktop: Desktop): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { maxAgeMs, maxEpisodes, clock, health } = this.#options;
    const isOld = slot.episodes >= maxEpisodes || clock.now() - slot.born >= maxAgeMs;
    if (slot.broken === undefined && !isOld) return this.#free(slot);
    if (slot.broken !== undefined) {
      this.#broken += 1;
      slot.reported = desktop.id;
      health(desktop.id, false, `broke during an episode and is replaced: ${slot.broken}`);
    }
    this.#uses(slot, slot.broken === undefined ? 'starting' : 'broken');
    slot.desktop = undefined;
    await desktop.close();
    await this.#start(slot);
  }

  /** Wraps a desktop: its calls are timed, and a failed call marks the slot as broken. */
  #metered(desktop: Desktop, slot: Slot, isReleased: () => boolean): Desktop {
    const timed = async <T>(call: () => Promise<T>): Promise<T> => {
      if (isReleased()) throw new RangeError(`Desktop ${desktop.id} was released. Lease another one.`);
      this.#uses(slot, 'stepping');
      try {
        return await call();
      } catch (error) {
        const { boundary, thing, message } = failureOf(error, 'environment', desktop.id);
        // The thing may have a name that a user knows better, such as the address of a guest.
        if (boundary === 'environment' || boundary === 'provider')
          slot.broken ??= thing === desktop.id ? message : `${thing}: ${message}`;
        throw error;
      } finally {
        if (!isReleased()) this.#uses(slot, 'waiting');
      }
    };
    const { id, renderer, look, clickAgain, match } = desktop;
    return {
      id,
      ...(renderer !== undefined && { renderer }),
      ...(look !== undefined && { look: () => timed(() => look.call(desktop)) }),
      ...(match !== undefined && { match: (action, isTraining) => match.call(desktop, action, isTraining) }),
      ...(clickAgain !== undefined && {
        clickAgain: (at, press) => timed(() => clickAgain.call(desktop, at, press)),
      }),
      reset: (task, seed) =>
        timed(() => {
          slot.episodes += 1;
          return desktop.reset(task, seed);
        }),
      act: action => timed(() => desktop.act(action)),
      query: getter => timed(() => desktop.query(getter)),
      setup: step => timed(() => desktop.setup(step)),
      judge: ending => timed(() => desktop.judge(ending)),
      close: () => desktop.close(),
    };
  }

  #uses(slot: Slot, use: DesktopUse): void {
    const now = this.#options.clock.now();
    this.#spent[slot.use] += now - slot.since;
    slot.use = use;
    slot.since = now;
  }
}

const closedError = () => new PoolClosed('The desktop pool is closed, because its run has ended.');
