// Shows the desktops of a host to whoever watches. Law: while nobody does, nothing is drawn, packed or sent; a step then costs a few
// references. Pictures are packed by other threads, and of each desktop there are at most four a second.

import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import type { DesktopId } from '../core/ids.ts';
import { pngOf, pngRows } from '../core/png.ts';
import type { Pixels, Screen } from '../core/screen.ts';
import { stepLimit } from '../core/task.ts';
import { type EpisodeView, NOT_WATCHED, type View, type ViewSize, type Watch } from '../core/view.ts';
import type { DesktopUse } from '../environments/pool.ts';
import type { Register, Topic } from '../fabric/channels.ts';
import { downscale } from './downscale.ts';
import { dueFrames, type FrameRequest } from './frame-schedule.ts';

export interface DisplayOptions {
  readonly watched: Pick<Register<Watch>, 'watch'>;
  readonly views: Pick<Topic<View>, 'publish'>;
  /** All that there are, with what each is used for. */
  readonly desktops: () => readonly { readonly id: DesktopId; readonly use: DesktopUse }[];
  readonly clock: Clock;
}

/** Milliseconds between two pictures of one desktop. */
const EVERY = 250;
/** Pixels: enough to see which window is open. */
const WIDEST_SMALL = 160;
/** Little work: a screen is mostly plain. */
const QUICK = { level: 1 };

const packed = promisify<Uint8Array, typeof QUICK, Uint8Array>(deflate);

/** What was seen last of a desktop. The pixels are the desktop's own: it draws over them. */
interface Seen {
  /** Another one each time. */
  readonly count: number;
  readonly doing: EpisodeView;
  readonly pixels: Pixels;
}

interface Sent {
  readonly count: number;
  readonly use: View['use'];
  readonly at: number;
}

export class Display {
  readonly #options: DisplayOptions;
  readonly #seen = new Map<DesktopId, Seen>();
  /** By desktop and size, in the present watch. */
  readonly #sent = new Map<string, Sent>();
  /** Of all that was seen. */
  #count = 0;
  /** When the last pictures were made. */
  #round = 0;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  /** The same desktop, of which is noted what it shows. */
  recorded(desktop: Desktop): Desktop {
    const { id } = desktop;
    // A new one in the place of another has shown nothing yet.
    this.#seen.delete(id);
    return {
      id,
      ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
      reset: async (task, seed) => {
        const screen = await desktop.reset(task, seed);
        const { id: name, instruction } = task;
        return this.#note(id, { task: name, instruction, steps: 0, mostSteps: stepLimit(task) }, screen);
      },
      act: async action => {
        const screen = await desktop.act(action);
        const doing = this.#seen.get(id)?.doing;
        return doing === undefined
          ? screen
          : this.#note(id, { ...doing, steps: doing.steps + 1, action }, screen);
      },
      query: getter => desktop.query(getter),
      setup: step => desktop.setup(step),
      judge: ending => desktop.judge(ending),
      close: () => desktop.close(),
    };
  }

  /** Until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    let watch = NOT_WATCHED;
    let over = new AbortController();
    let showing = Promise.resolve();
    for await (const next of this.#options.watched.watch(signal)) {
      over.abort();
      await showing;
      if (next.since !== watch.since) this.#sent.clear();
      watch = next;
      over = new AbortController();
      showing = this.#show(watch, AbortSignal.any([signal, over.signal]));
      // Told where it is waited for.
      showing.catch(() => undefined);
    }
    over.abort();
    await showing;
  }

  #note(id: DesktopId, doing: EpisodeView, screen: Screen): Screen {
    this.#count += 1;
    this.#seen.set(id, { count: this.#count, doing, pixels: screen.pixels });
    return screen;
  }

  async #show(watch: Watch, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const isLookedAt = watch.wall || watch.whole.length > 0;
    while (isLookedAt && !signal.aborted) {
      // Whatever was looked at just before.
      const rest = this.#round + EVERY - clock.now();
      if (rest > 0) await clock.sleep(rest, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#round = clock.now();
      await Promise.all(dueFrames(this.#wanted(watch)).map(({ id, size, use }) => this.#send(id, size, use)));
    }
  }

  #wanted({ wall, whole }: Watch): readonly FrameRequest[] {
    const wanted = (id: DesktopId, size: ViewSize, use: View['use']): FrameRequest => {
      const sent = this.#sent.get(keyOf(id, size));
      const isNew = sent === undefined || sent.use !== use || sent.count !== (this.#seen.get(id)?.count ?? 0);
      return { id, size, use, isNew, sentAt: sent?.at };
    };
    return this.#options
      .desktops()
      .flatMap(({ id, use }) => [
        ...(whole.includes(id) ? [wanted(id, 'whole', USES[use])] : []),
        ...(wall ? [wanted(id, 'small', USES[use])] : []),
      ]);
  }

  async #send(desktop: DesktopId, size: ViewSize, use: View['use']): Promise<void> {
    const { views, clock } = this.#options;
    const at = clock.now();
    const seen = this.#seen.get(desktop);
    this.#sent.set(keyOf(desktop, size), { count: seen?.count ?? 0, use, at });
    if (seen === undefined) return views.publish({ desktop, size, at, use });
    const { doing, pixels } = seen;
    const { width, height } = pixels;
    const picture = await pictureOf(size === 'small' ? downscale(pixels, WIDEST_SMALL) : pixels);
    views.publish({ desktop, size, at, use, doing, picture, screen: { width, height } });
  }
}

const keyOf = (id: DesktopId, size: ViewSize): string => `${size} ${id}`;

/** Between two steps a desktop waits for a decision: to who watches it plays all the while. */
const USES: Readonly<Record<DesktopUse, View['use']>> = {
  starting: 'starting',
  idle: 'idle',
  stepping: 'playing',
  waiting: 'playing',
  broken: 'broken',
};

/** The pixels are copied before it first waits. */
async function pictureOf(pixels: Pixels): Promise<Uint8Array> {
  return pngOf(pixels, await packed(pngRows(pixels), QUICK));
}
