// The viewers of a run's desktops: keeps the newest view of each desktop while somebody watches, and tells the host what is watched.
// Law: while nobody watches, nothing is stored and nothing is requested.

import type { Clock } from '../core/clock.ts';
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
  /** What the last answer said, or 0. */
  readonly after: number;
  /** This one as a whole; without it, all of them as small pictures. */
  readonly desktop?: DesktopId;
}

export interface DesktopViews {
  readonly after: number;
  readonly views: readonly View[];
}

/** Milliseconds after its last question that somebody still looks: a page asks several times a second. */
const LOOKS_FOR = 3000;
/** Who asks is answered after so long in any case. */
const PATIENCE = 1000;

const WALL = 'wall';
type Sight = DesktopId | typeof WALL;

export class DesktopViewers {
  readonly #options: DesktopViewersOptions;
  /** Until when each is looked at. */
  readonly #until = new Map<Sight, number>();
  readonly #newest = new Map<string, { readonly number: number; readonly view: View }>();
  readonly #changed = new Bell();
  /** There while somebody looks. */
  #watching: AbortController | undefined;
  #over: Promise<unknown> = Promise.resolve();
  /** Of the last view; of the first one of the present watch. */
  #number: number;
  #since = 0;
  #told = JSON.stringify(NOT_WATCHED);
  #isClosed = false;

  constructor(options: DesktopViewersOptions) {
    this.#options = options;
    // Grows by a few a second, so that what another run or another daemon has numbered is older.
    this.#number = Math.trunc(options.clock.now());
  }

  /** As soon as there is something newer, or after a second. */
  async look({ after, desktop }: LookRequest): Promise<DesktopViews> {
    if (this.#isClosed) return { after, views: [] };
    const { clock } = this.#options;
    const stay = () => this.#until.set(desktop ?? WALL, clock.now() + LOOKS_FOR);
    stay();
    this.#begin();
    await this.#tell();
    const patience = new AbortController();
    const end = () => patience.abort();
    clock.sleep(PATIENCE, patience.signal).then(end, end);
    let found = this.#found(after, desktop);
    while (found.views.length === 0 && !patience.signal.aborted && this.#watching !== undefined) {
      await this.#changed.next(patience.signal);
      found = this.#found(after, desktop);
    }
    end();
    if (this.#watching !== undefined) stay();
    return found;
  }

  /** Nobody is shown anything any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#until.clear();
    this.#watching?.abort();
    await this.#over;
  }

  #found(after: number, desktop: DesktopId | undefined): DesktopViews {
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
    this.#over = Promise.all([this.#hear(watching.signal), this.#untilNobodyLooks(watching)]);
  }

  async #hear(signal: AbortSignal): Promise<void> {
    for await (const { event: view } of this.#options.views.listen({ signal })) {
      this.#number += 1;
      this.#newest.set(`${view.size} ${view.desktop}`, { number: this.#number, view });
      this.#changed.ring();
    }
  }

  async #untilNobodyLooks(watching: AbortController): Promise<void> {
    const { clock } = this.#options;
    while (!watching.signal.aborted) {
      const next = Math.min(...this.#until.values());
      await clock.sleep(Math.max(1, next - clock.now()), watching.signal).catch(() => undefined);
      for (const [sight, until] of this.#until) if (until <= clock.now()) this.#until.delete(sight);
      if (this.#until.size === 0) watching.abort();
      else await this.#tell();
    }
    this.#watching = undefined;
    this.#newest.clear();
    this.#changed.ring();
    await this.#tell();
  }

  /** Only what is new: each is heard of in another process. */
  async #tell(): Promise<void> {
    const sights = [...this.#until.keys()].sort();
    const whole = sights.filter((sight): sight is DesktopId => sight !== WALL);
    const watch: Watch =
      sights.length === 0 ? NOT_WATCHED : { since: this.#since, wall: sights.length > whole.length, whole };
    const told = JSON.stringify(watch);
    if (told === this.#told) return;
    this.#told = told;
    await this.#options.watched.set(watch);
  }
}
