// The desktop that a person uses: performs each action at once, numbers the screens, and compresses a screen when somebody looks at it.
//
// Law: a screen that nobody looks at is neither copied nor compressed, except for the comparison with the next one.

import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import type { Seed } from '../core/ids.ts';
import { pngRows } from '../core/png.ts';
import type { Pixels, Screen, Size } from '../core/screen.ts';
import type { Task } from '../core/task.ts';
import { compressRows } from '../rollout/film.ts';
import type { BegunEpisode } from './begun-episode.ts';
import { differsClearly } from './changed-share.ts';
import type { PersonAction } from './input.ts';
import {
  continuesClick,
  countsPresses,
  type PerformedAction,
  type PersonStep,
  spaceOrText,
} from './steps.ts';

interface PersonStart {
  readonly task: Task;
  readonly seed: Seed;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Tests count the calls. */
  readonly compress?: typeof compressRows;
}

export interface PersonPicture {
  readonly frame: number;
  readonly size: Size;
  readonly png: Promise<Uint8Array>;
}

/** A desktop counts presses within 400 ms, as GTK does. The input needs some time to get there. */
const COUNTED_MS = 300;
/** After this time each program counts presses anew; Chromium does after 500 ms. */
const ANEW_MS = 600;
/** Pictures that no step refers to; a person may act on one that is a moment old. */
const MAX_RECENT_PICTURES = 8;

export class PersonDesktop {
  readonly #desktop: Desktop;
  readonly #task: Task;
  readonly #seed: Seed;
  readonly #clock: PersonStart['clock'];
  readonly #compress: typeof compressRows;
  readonly #pictures = new Map<number, PersonPicture>();
  #screen: Screen;
  /** A copy of the pixels, which the desktop may overwrite. */
  #pixels: Uint8Array;
  /** The present screen with pixels of its own, once somebody needed it. */
  #copy: Screen | undefined;
  #frame = 1;
  /** When the last action began. */
  #actedAt = 0;
  /** The screen after the last action, on a desktop whose screen changes by itself. */
  #acted: { readonly frame: number; readonly pixels: Pixels };

  private constructor(
    desktop: Desktop,
    { task, seed, clock, compress = compressRows }: PersonStart,
    screen: Screen,
  ) {
    this.#clock = clock;
    this.#compress = compress;
    this.#desktop = desktop;
    this.#task = task;
    this.#seed = seed;
    this.#screen = screen;
    this.#pixels = Uint8Array.from(screen.pixels.data);
    this.#acted = { frame: this.#frame, pixels: { ...screen.pixels, data: this.#pixels } };
    this.#rememberActed();
  }

  /** Starts the instance. Also returns its instruction, which some tasks make at their start. */
  static async start(
    desktop: Desktop,
    start: PersonStart,
  ): Promise<{ readonly person: PersonDesktop; readonly instruction: string }> {
    const { task, seed } = start;
    const { instruction = task.instruction, ...screen } = await desktop.reset(task, seed);
    return { person: new PersonDesktop(desktop, start, screen), instruction };
  }

  /** Continues an episode in progress. Its screens have the numbers from 1 on. */
  static continue(
    desktop: Desktop,
    start: PersonStart,
    { instruction, actions, screen, images = [] }: BegunEpisode,
  ): { readonly person: PersonDesktop; readonly instruction: string } {
    const person = new PersonDesktop(desktop, start, screen);
    person.#frame = actions.length + 1;
    person.#rememberActed();
    const { width, height } = screen.pixels;
    for (const [index, image] of images.entries()) {
      const frame = index + 1;
      person.#pictures.set(frame, { frame, size: { width, height }, png: Promise.resolve(image) });
    }
    return { person, instruction };
  }

  get screen(): Screen {
    return this.#screen;
  }

  /** The present screen, which later actions leave as it is. */
  copy(): Screen {
    this.#copy ??= {
      ...this.#screen,
      pixels: { ...this.#screen.pixels, data: Uint8Array.from(this.#pixels) },
    };
    return this.#copy;
  }

  /** Increases with every change of the screen. */
  get frame(): number {
    return this.#frame;
  }

  /** Whether the screen may change without an action. */
  get changesByItself(): boolean {
    return this.#desktop.look !== undefined;
  }

  /** Whether the screen has changed clearly by itself since the last action, so that an agent would have had to wait. */
  get hasWaited(): boolean {
    const { frame, pixels } = this.#acted;
    return frame !== this.#frame && differsClearly(pixels.data, this.#screen.pixels);
  }

  /** Undefined for an action without an effect that an agent would miss: a move that changed nothing. */
  async perform(
    { action, press }: PersonAction,
    steps: readonly PersonStep[],
  ): Promise<Omit<PerformedAction, 'frame'> | undefined> {
    const { elements = [] } = this.#screen;
    const last = steps.at(-1);
    const again =
      press !== undefined && action.kind === 'click' && continuesClick(last, action, press)
        ? countsPresses(action.at, elements)
          ? press
          : undefined
        : undefined;
    const done = spaceOrText(action, this.#screen.elements);
    const startedAt = this.#clock.now();
    const isNew = this.#receive(await this.#act(done, again, steps));
    // It is no action, so a person who waits since the last one still waits.
    if (done.kind === 'move' && !isNew) return undefined;
    this.#actedAt = startedAt;
    this.#rememberActed();
    return { action: done, elements, ...(again !== undefined && { press: again }) };
  }

  /** Performs an action of an agent as it is. */
  async performExactly(action: Action): Promise<void> {
    // A reply without an action changes nothing.
    if (action.kind === 'none') return;
    const startedAt = this.#clock.now();
    const screen = await this.#desktop.act(action);
    this.#actedAt = startedAt;
    this.#receive(screen);
    this.#rememberActed();
  }

  /** Looks at a screen that changes by itself. */
  async look(): Promise<void> {
    const { look } = this.#desktop;
    if (look !== undefined) this.#receive(await look.call(this.#desktop));
  }

  /** The present picture, compressed once. */
  picture(): PersonPicture {
    return this.#compressed(this.#frame, this.#screen.pixels);
  }

  /** The picture of the screen after the last action, from which a person who has waited waited on. */
  actedPicture(): PersonPicture {
    return this.#compressed(this.#acted.frame, this.#acted.pixels);
  }

  /** The newest screen with a picture. */
  get lastPictured(): number {
    return Math.max(...this.#pictures.keys());
  }

  /** The picture of an earlier screen; the present one if nobody looked at that. */
  pictureOf(frame: number): PersonPicture {
    return this.#pictures.get(frame) ?? this.picture();
  }

  /** Forgets the pictures that no step needs. */
  forget(steps: readonly PersonStep[]): void {
    const needed = new Set(steps.map(({ frame }) => frame));
    const others = [...this.#pictures.keys()].filter(frame => !needed.has(frame));
    for (const frame of others.slice(0, -MAX_RECENT_PICTURES)) this.#pictures.delete(frame);
  }

  #compressed(frame: number, pixels: Pixels): PersonPicture {
    const known = this.#pictures.get(frame);
    if (known !== undefined) return known;
    const { width, height } = pixels;
    const png = this.#compress({ width, height }, pngRows(pixels));
    // The caller that awaits it reports a failure.
    png.catch(() => undefined);
    const picture = { frame, size: { width, height }, png };
    this.#pictures.set(frame, picture);
    return picture;
  }

  #rememberActed(): void {
    if (!this.changesByItself) return;
    const pixels = { ...this.#screen.pixels, data: Uint8Array.from(this.#pixels) };
    this.#acted = { frame: this.#frame, pixels };
  }

  /** A second press is performed so that the desktop counts two. */
  async #act(action: Action, press: 2 | 3 | undefined, steps: readonly PersonStep[]): Promise<Screen> {
    const desktop = this.#desktop;
    if (press === undefined || action.kind !== 'click') return desktop.act(action);
    if (desktop.clickAgain !== undefined) return desktop.clickAgain(action.at, press);
    const kind = press === 2 ? 'double_click' : 'triple_click';
    if (desktop.renderer === undefined) {
      const passed = this.#clock.now() - this.#actedAt;
      if (passed <= COUNTED_MS) return desktop.act(action);
      // All presses are repeated, once the desktop does not count the earlier ones any more.
      if (passed < ANEW_MS) await this.#clock.sleep(ANEW_MS - passed);
      return desktop.act({ kind, at: action.at });
    }
    // It starts in no time and repeats its states bit for bit: the first press is taken back.
    let screen: Screen = await desktop.reset(this.#task, this.#seed);
    for (const { action: earlier } of steps.slice(0, -1))
      if (earlier.kind !== 'none') screen = await desktop.act(earlier);
    screen = await desktop.act({ kind, at: action.at });
    return screen;
  }

  /** Returns whether the screen differs from the last one. */
  #receive(screen: Screen): boolean {
    const { data } = screen.pixels;
    this.#screen = screen;
    this.#copy = undefined;
    if (data.length === this.#pixels.length && Buffer.compare(this.#pixels, data) === 0) return false;
    if (data.length === this.#pixels.length) this.#pixels.set(data);
    else this.#pixels = Uint8Array.from(data);
    this.#frame += 1;
    return true;
  }
}
