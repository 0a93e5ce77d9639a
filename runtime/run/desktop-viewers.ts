// The viewers of a run's desktops: stores the newest view of each desktop while a page polls, and tells the host which desktops to show.
// Law: without viewers nothing is stored and nothing is requested.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import type { DesktopId } from '../core/ids.ts';
import { NOT_WATCHED, type View, type Watch } from '../core/view.ts';
import type { Register, Topic } from '../fabric/channels.ts';
import { Bell } from '../fabric/embedded/bell.ts';

export interface DesktopViewersOptions {
  readonly watched: Pick<Register<Watch>, 'set'>;
  readonly views: Pick<Topic<View>, 'listen'>;
  readonly clock: Clock;
}

export interface LookRequest {
  /** From the last reply, or 0. */
  readonly after: number;
  /** The whole picture of this desktop; by default small pictures of all. */
  readonly desktop?: DesktopId;
}

export interface DesktopViews {
  readonly after: number;
  readonly views: readonly View[];
}

/** A page that has not polled for so long is gone: pages poll several times a second. */
const VIEWER_TIMEOUT_MS = 3000;
/** A poll gets a reply after this time, also without new views. */
const POLL_TIMEOUT_MS = 1000;

const WALL = 'wall';
type Target = DesktopId | typeof WALL;

export class DesktopViewers {
  readonly #options: DesktopViewersOptions;
  /** When the viewer of each target is gone, unless it polls again. */
  readonly #expiresAt = new Map<Target, number>();
  readonly #newest = new Map<string, { readonly number: number; readonly view: View }>();
  readonly #changed = new Bell();
  /** Defined while there is a viewer. */
  #watching: AbortController | undefined;
  #stopped: Promise<unknown> = Promise.resolve();
  /** The number of the last view, and the number at which the current watch began. */
  #number: number;
  #since = 0;
  #requested = JSON.stringify(NOT_WATCHED);
  #isClosed = false;

  constructor(options: DesktopViewersOptions) {
    this.#options = options;
    // Numbers grow by a few per second, so those of an earlier run or daemon are lower.
    this.#number = Math.trunc(options.clock.now());
  }

  /** Resolves when there is a newer view, or after POLL_TIMEOUT_MS. */
  async look({ after, desktop }: LookRequest): Promise<DesktopViews> {
    if (this.#isClosed) return { after, views: [] };
    const { clock } = this.#options;
    const renew = () => this.#expiresAt.set(desktop ?? WALL, clock.now() + VIEWER_TIMEOUT_MS);
    renew();
    this.#begin();
    await this.#request();
    const timeout = new AbortController();
    const end = () => timeout.abort();
    clock.sleep(POLL_TIMEOUT_MS, timeout.signal).then(end, end);
    let found = this.#after(after, desktop);
    while (found.views.length === 0 && !timeout.signal.aborted && this.#watching !== undefined) {
      await this.#changed.next(timeout.signal);
      found = this.#after(after, desktop);
    }
    end();
    if (this.#watching !== undefined) renew();
    return found;
  }

  /** Later polls return no views. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#expiresAt.clear();
    this.#watching?.abort();
    await this.#stopped;
  }

  #after(after: number, desktop: DesktopId | undefined): DesktopViews {
    const size = desktop === undefined ? 'small' : 'whole';
    const views = [...this.#newest.values()]
      .filter(({ number }) => number > after)
      .map(({ view }) => view)
      .filter(view => view.size === size && (desktop === undefined || view.desktop === desktop));
    return { after: this.#number, views };
  }

  #begin(): void {
    if (this.#watching !== undefined) return;
    const watching = new AbortController();
    this.#watching = watching;
    this.#number += 1;
    this.#since = this.#number;
    this.#stopped = Promise.all([this.#storeViews(watching.signal), this.#untilUnwatched(watching)]);
  }

  async #storeViews(signal: AbortSignal): Promise<void> {
    for await (const { event: view } of this.#options.views.listen({ signal })) {
      // A joined host may send others too, each with a large picture.
      if (!this.#expiresAt.has(view.size === 'small' ? WALL : view.desktop)) continue;
      this.#number += 1;
      this.#newest.set(`${view.size} ${view.desktop}`, { number: this.#number, view });
      this.#changed.ring();
    }
  }

  async #untilUnwatched(watching: AbortController): Promise<void> {
    const { clock } = this.#options;
    while (!watching.signal.aborted) {
      const next = Math.min(...this.#expiresAt.values());
      await sleepUnlessAborted(clock, Math.max(1, next - clock.now()), watching.signal);
      for (const [target, at] of this.#expiresAt) if (at <= clock.now()) this.#expiresAt.delete(target);
      if (this.#expiresAt.size === 0) watching.abort();
      else await this.#request();
    }
    this.#watching = undefined;
    this.#newest.clear();
    this.#changed.ring();
    await this.#request();
  }

  /** Tells the host what to show, only after a change: the register is in another process. */
  async #request(): Promise<void> {
    const targets = [...this.#expiresAt.keys()].sort();
    const whole = targets.filter((target): target is DesktopId => target !== WALL);
    const watch: Watch =
      targets.length === 0 ? NOT_WATCHED : { since: this.#since, wall: targets.length > whole.length, whole };
    const requested = JSON.stringify(watch);
    if (requested === this.#requested) return;
    this.#requested = requested;
    await this.#options.watched.set(watch);
  }
}
