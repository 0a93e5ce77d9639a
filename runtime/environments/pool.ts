// The desktops of a run: kept warm, lent to whoever runs an episode, made anew when they are old, worn or broken. It knows at
// every moment what each of them spent its time on. How a desktop is made is told by who opens the cluster.

import type { Clock } from '../core/clock.ts';
import type { Desktop, Lease, Lender } from '../core/desktop.ts';
import { failureOf } from '../core/failure.ts';
import { Line } from '../fabric/line.ts';

export interface DesktopPoolOptions {
  readonly size: number;
  /** A new desktop in place `index`; it may take long, and may reject. */
  readonly make: (index: number) => Promise<Desktop>;
  /** After so many episodes, or milliseconds, a desktop is made anew. */
  readonly mostEpisodes: number;
  readonly mostAge: number;
  readonly clock: Clock;
  /** Told when a desktop does not start, or breaks, and when it is there again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** What a desktop's time goes to. While it is lent it is stepping (a call is under way) or waiting for its runner. */
export const DESKTOP_USES = ['starting', 'idle', 'stepping', 'waiting', 'broken'] as const;
export type DesktopUse = (typeof DESKTOP_USES)[number];

/** Milliseconds of each use, over all desktops. */
export type DesktopTime = Readonly<Record<DesktopUse, number>>;

export class PoolClosed extends Error {
  override readonly name = 'ClusterClosed';
}

interface Place {
  readonly index: number;
  desktop: Desktop | undefined;
  use: DesktopUse;
  since: number;
  born: number;
  episodes: number;
  /** Whether anything was asked of it in the present loan. */
  isUsed: boolean;
  isBroken: boolean;
}

/** Milliseconds before a desktop that did not start is tried again: twice as long each time, up to the last. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

export class DesktopPool implements Lender {
  readonly #options: DesktopPoolOptions;
  readonly #places: readonly Place[];
  readonly #spent: Record<DesktopUse, number> = { starting: 0, idle: 0, stepping: 0, waiting: 0, broken: 0 };
  readonly #stop = new AbortController();
  /** Nobody waits while a desktop is idle. */
  readonly #line = new Line<Place>();
  /** Who has been idle for longest is lent first. */
  #idle: Place[] = [];
  #made = 0;
  #broken = 0;

  constructor(options: DesktopPoolOptions) {
    this.#options = options;
    const now = options.clock.now();
    this.#places = Array.from({ length: options.size }, (_, index) => ({
      index,
      desktop: undefined,
      use: 'starting',
      since: now,
      born: now,
      episodes: 0,
      isUsed: false,
      isBroken: false,
    }));
    for (const place of this.#places) void this.#start(place);
  }

  /** A desktop, as soon as one is free; who asked first is served first. */
  async lease(signal?: AbortSignal): Promise<Lease> {
    signal?.throwIfAborted();
    if (this.#stop.signal.aborted) throw closedError();
    const place = this.#idle.shift() ?? (await this.#line.wait(signal));
    this.#uses(place, 'waiting');
    return this.#lent(place);
  }

  /** Up to now. */
  timeSpent(): DesktopTime {
    const now = this.#options.clock.now();
    const account = { ...this.#spent };
    for (const { use, since } of this.#places) account[use] += now - since;
    return account;
  }

  /** Of each place, just now. */
  uses(): readonly DesktopUse[] {
    return this.#places.map(({ use }) => use);
  }

  counts(): { readonly made: number; readonly broken: number; readonly free: number } {
    return { made: this.#made, broken: this.#broken, free: this.#idle.length };
  }

  /** Closes all desktops, lent or not; who waits for one is told so. */
  async close(): Promise<void> {
    this.#stop.abort(closedError());
    this.#line.refuse(closedError());
    this.#idle = [];
    await Promise.all(this.#places.map(({ desktop }) => desktop?.close()));
  }

  /** Until it is there: a desktop that does not start is tried again after a while. */
  async #start(place: Place): Promise<void> {
    const { make, clock, health } = this.#options;
    const { signal } = this.#stop;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        const desktop = await make(place.index);
        if (signal.aborted) return await desktop.close();
        if (place.use === 'broken') health(desktop.id, true, 'works again');
        Object.assign(place, { desktop, born: clock.now(), episodes: 0, isBroken: false });
        this.#made += 1;
        return this.#free(place);
      } catch (error) {
        if (signal.aborted) return;
        this.#uses(place, 'broken');
        this.#broken += 1;
        const { message } = failureOf(error, 'environment', `desktop ${place.index}`);
        health(`desktop ${place.index}`, false, `${message}; it is tried again in ${pause / 1000} s`);
        await clock.sleep(pause, signal).catch(() => undefined);
      }
    }
  }

  #free(place: Place): void {
    if (this.#line.serve(place)) return;
    this.#uses(place, 'idle');
    this.#idle.push(place);
  }

  #lent(place: Place): Lease {
    const { desktop } = place;
    if (desktop === undefined) throw closedError();
    let isBack = false;
    return {
      desktop: this.#metered(desktop, place, () => isBack),
      release: () => {
        if (isBack) return;
        isBack = true;
        void this.#back(place, desktop);
      },
    };
  }

  async #back(place: Place, desktop: Desktop): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { mostAge, mostEpisodes, clock, health } = this.#options;
    // A desktop that was looked at and not needed is as good as before.
    if (place.isUsed) place.episodes += 1;
    place.isUsed = false;
    const isOld = place.episodes >= mostEpisodes || clock.now() - place.born >= mostAge;
    if (!place.isBroken && !isOld) return this.#free(place);
    if (place.isBroken) {
      this.#broken += 1;
      health(desktop.id, false, 'broke during an episode, and is made anew');
    }
    this.#uses(place, place.isBroken ? 'broken' : 'starting');
    place.desktop = undefined;
    await desktop.close();
    await this.#start(place);
  }

  /** The same desktop, whose calls are timed, and which is known to be broken once one of them says so. */
  #metered(desktop: Desktop, place: Place, isBack: () => boolean): Desktop {
    const timed = async <T>(call: () => Promise<T>): Promise<T> => {
      if (isBack()) throw new RangeError(`The desktop ${desktop.id} was given back; lease another.`);
      this.#uses(place, 'stepping');
      place.isUsed = true;
      try {
        return await call();
      } catch (error) {
        const { boundary } = failureOf(error, 'environment', desktop.id);
        if (boundary === 'environment' || boundary === 'provider') place.isBroken = true;
        throw error;
      } finally {
        if (!isBack()) this.#uses(place, 'waiting');
      }
    };
    return {
      id: desktop.id,
      ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
      reset: (task, seed) => timed(() => desktop.reset(task, seed)),
      act: action => timed(() => desktop.act(action)),
      query: getter => timed(() => desktop.query(getter)),
      setup: step => timed(() => desktop.setup(step)),
      judge: ending => timed(() => desktop.judge(ending)),
      close: () => desktop.close(),
    };
  }

  #uses(place: Place, use: DesktopUse): void {
    const now = this.#options.clock.now();
    this.#spent[place.use] += now - place.since;
    place.use = use;
    place.since = now;
  }
}

const closedError = () => new PoolClosed('The cluster of desktops is closed: its run has ended.');
