// Sends pictures of the host's desktops to viewers: per second and desktop at most four small ones, and twelve whole ones. Law: without
// viewers nothing is drawn, compressed or sent, and a step costs a few references.

import type { Action } from '../../core/action.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { DesktopId } from '../../core/ids.ts';
import { pngRows } from '../../core/png.ts';
import type { Pixels, Screen } from '../../core/screen.ts';
import { stepLimit } from '../../core/task.ts';
import { type EpisodeView, NOT_WATCHED, type View, type ViewSize, type Watch } from '../../core/view.ts';
import type { DesktopUse } from '../../environments/pool.ts';
import type { Register, Topic } from '../../fabric/channels.ts';
import { compressRows } from '../../rollout/film.ts';
import { downscale } from './downscale.ts';

export interface DisplayOptions {
  readonly watched: Pick<Register<Watch>, 'watch'>;
  readonly views: Pick<Topic<View>, 'publish'>;
  /** All desktops, with their current use. A person may hold a leased one. */
  readonly desktops: () => readonly { readonly id: DesktopId; readonly use: DesktopUse | 'held' }[];
  readonly clock: Clock;
}

/** A picture that a viewer wants. */
export interface FrameRequest {
  readonly id: DesktopId;
  readonly size: ViewSize;
  readonly use: View['use'];
  /** It differs from the picture that was sent last. */
  readonly isNew: boolean;
  /** Undefined before the first one. */
  readonly sentAt: number | undefined;
}

/** A person who watches one desktop sees ten pictures per second, and timers are late. */
const FRAME_INTERVALS_MS: Readonly<Record<ViewSize, number>> = { small: 250, whole: 80 };
/** Pixels: enough to recognise the open window. */
const MAX_SMALL_WIDTH = 160;
/** Small pictures per round, which take about a twentieth of a core with compression. */
export const MAX_SMALL_FRAMES = 8;

/** The pixels belong to the desktop, which draws over them. */
interface ShownScreen {
  readonly episode: EpisodeView;
  readonly pixels: Pixels;
}

interface SentFrame {
  readonly screen: ShownScreen | undefined;
  readonly use: View['use'];
  readonly at: number;
}

export class Display {
  readonly #options: DisplayOptions;
  readonly #screens = new Map<DesktopId, ShownScreen>();
  /** By `keyOf`, for the current viewers. */
  readonly #sent = new Map<string, SentFrame>();
  readonly #roundAt: Record<ViewSize, number> = { small: 0, whole: 0 };

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  /** The same desktop; the display keeps its latest screen. */
  recorded(desktop: Desktop): Desktop {
    const { id, look, clickAgain, match } = desktop;
    // A replacement has no screen yet.
    this.#screens.delete(id);
    const record = (episode: EpisodeView, screen: Screen): Screen => {
      this.#screens.set(id, { episode, pixels: screen.pixels });
      return screen;
    };
    const recordAgain = (screen: Screen, change: (episode: EpisodeView) => EpisodeView): Screen => {
      const episode = this.#screens.get(id)?.episode;
      return episode === undefined ? screen : record(change(episode), screen);
    };
    const acted = (action: Action) => (episode: EpisodeView) => ({
      ...{ ...episode, steps: episode.steps + 1, action },
    });
    return {
      id,
      ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
      reset: async (task, seed) => {
        const screen = await desktop.reset(task, seed);
        const { id: name } = task;
        const { instruction = task.instruction } = screen;
        record({ task: name, instruction, steps: 0, mostSteps: stepLimit(task) }, screen);
        return screen;
      },
      ...(match !== undefined && { match: (action, isTraining) => match.call(desktop, action, isTraining) }),
      act: async action => recordAgain(await desktop.act(action), acted(action)),
      ...(look !== undefined && {
        look: async () => recordAgain(await look.call(desktop), episode => episode),
      }),
      ...(clickAgain !== undefined && {
        clickAgain: async (at, press) =>
          recordAgain(await clickAgain.call(desktop, at, press), acted({ kind: 'click', at })),
      }),
      query: getter => desktop.query(getter),
      setup: step => desktop.setup(step),
      judge: ending => desktop.judge(ending),
      close: () => desktop.close(),
    };
  }

  /** Sends pictures until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let watch = NOT_WATCHED;
    let stop = new AbortController();
    let sending: Promise<unknown> = Promise.resolve();
    for await (const next of this.#options.watched.watch(signal)) {
      stop.abort();
      await sending;
      if (next.since !== watch.since) this.#sent.clear();
      watch = next;
      stop = new AbortController();
      const until = AbortSignal.any([signal, stop.signal]);
      sending = Promise.all([
        watch.wall && this.#sendFrames('small', watch, until),
        watch.whole.length > 0 && this.#sendFrames('whole', watch, until),
      ]);
      // A failure is reported where `sending` is awaited.
      sending.catch(() => undefined);
    }
    stop.abort();
    await sending;
  }

  async #sendFrames(size: ViewSize, watch: Watch, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      // The previous watch may have ended within the interval.
      const delayMs = this.#roundAt[size] + FRAME_INTERVALS_MS[size] - clock.now();
      if (delayMs > 0) await sleepUnlessAborted(clock, delayMs, signal);
      if (signal.aborted) return;
      this.#roundAt[size] = clock.now();
      await Promise.all(dueFrames(this.#requests(size, watch)).map(frame => this.#send(frame)));
    }
  }

  #requests(size: ViewSize, { whole }: Watch): readonly FrameRequest[] {
    return this.#options
      .desktops()
      .filter(({ id }) => size === 'small' || whole.includes(id))
      .map(({ id, use: present }) => {
        const use = USES[present];
        const sent = this.#sent.get(keyOf(id, size));
        const isNew = sent === undefined || sent.use !== use || sent.screen !== this.#screens.get(id);
        return { id, size, use, isNew, sentAt: sent?.at };
      });
  }

  async #send({ id: desktop, size, use }: FrameRequest): Promise<void> {
    const { views, clock } = this.#options;
    const at = clock.now();
    const screen = this.#screens.get(desktop);
    this.#sent.set(keyOf(desktop, size), { screen, use, at });
    if (screen === undefined) return views.publish({ desktop, size, at, use });
    const { episode: doing, pixels } = screen;
    const { width, height } = pixels;
    const scaled = size === 'small' ? downscale(pixels, MAX_SMALL_WIDTH) : pixels;
    // The rows are copied before the first await: the desktop may draw over its pixels.
    const picture = await compressRows(scaled, pngRows(scaled));
    views.publish({ desktop, size, at, use, doing, picture, screen: { width, height } });
  }
}

/**
 * Chooses the pictures of a round among those that changed: all whole ones, and the small ones that were sent longest ago, so that many
 * desktops cost no more than a few.
 */
export function dueFrames(requests: readonly FrameRequest[]): readonly FrameRequest[] {
  const changed = requests.filter(({ isNew }) => isNew);
  const small = changed
    .filter(({ size }) => size === 'small')
    .sort((one, other) => (one.sentAt ?? 0) - (other.sentAt ?? 0));
  return [...changed.filter(({ size }) => size === 'whole'), ...small.slice(0, MAX_SMALL_FRAMES)];
}

const keyOf = (id: DesktopId, size: ViewSize): string => `${size} ${id}`;

/** A desktop that waits for a decision plays: viewers do not tell the two apart. */
const USES: Readonly<Record<DesktopUse | 'held', View['use']>> = {
  starting: 'starting',
  idle: 'idle',
  stepping: 'playing',
  waiting: 'playing',
  held: 'held',
  broken: 'broken',
};
