// One trajectory, looked at closely: what it is, its film strip, the screen at one step, and how that step was decided.

import type { AnnotationMarks } from '../../runtime/protocol/daemon/remarks.ts';
import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button, waiting } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { Frames } from '../shared/frames.ts';
import type { Host } from '../shared/host.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import { troubled } from '../shared/states.ts';
import { Store } from '../shared/store.ts';
import { plural } from '../shared/words.ts';
import { About } from './about.ts';
import { Decisions } from './decisions.ts';
import { Screen } from './screen.ts';
import { type Looking, type LookingEvent, looked, NOTHING, overlaysOf, stepAt } from './state.ts';
import { Strip } from './strip.ts';

const PACE = 800;
const KEPT = 'drawn-on-screens';

interface Uses {
  readonly link: DaemonLink;
  readonly frames: Frames;
  /** What is drawn on screens stays chosen. */
  readonly kept: Pick<Host, 'read' | 'keep'>;
  /** Another trajectory is wanted, in place of this one or beside it. */
  open(trajectory: string, isBeside: boolean): void;
  /** It is at another step now. */
  moved(at: number): void;
  arrived?(whole: TrajectoryDetail | undefined): void;
}

export class Inspector {
  readonly element = make('article', { class: 'inspector' });
  readonly #uses: Uses;
  readonly #store: Store<Looking, LookingEvent>;
  readonly #about: About;
  readonly #screen = new Screen();
  readonly #strip: Strip;
  readonly #decisions = new Decisions();
  readonly #buttons;
  readonly #count = make('p', { class: 'count' });
  readonly #body: HTMLElement;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(uses: Uses) {
    this.#uses = uses;
    const begin = { ...NOTHING, ...overlaysOf(uses.kept.read(KEPT)) };
    this.#store = new Store(begin, looked, (state, before) => this.#draw(state, before));
    this.#about = new About((trajectory, isBeside) => uses.open(trajectory, isBeside));
    this.#strip = new Strip(uses.frames, at => this.#go({ kind: 'went', at }));
    const tell = (event: LookingEvent) => () => this.#go(event);
    this.#buttons = {
      back: button(
        { text: '◀', label: 'Step back', title: 'Step back (←)', kind: 'icon' },
        tell({ kind: 'stepped', by: -1 }),
      ),
      play: button({ text: 'Play', title: 'Play (Space)' }, tell({ kind: 'toggled', what: 'play' })),
      on: button(
        { text: '▶', label: 'Step on', title: 'Step on (→)', kind: 'icon' },
        tell({ kind: 'stepped', by: 1 }),
      ),
      heat: button(
        { text: 'Heat', title: 'Where else it might have pointed, and how likely (h)' },
        tell({ kind: 'toggled', what: 'heat' }),
      ),
      elements: button(
        { text: 'Elements', title: 'What can be found on the screen (e)' },
        tell({ kind: 'toggled', what: 'elements' }),
      ),
    };
    const { back, play, on, heat, elements } = this.#buttons;
    const bar = make(
      'div',
      { class: 'steering' },
      back.element,
      play.element,
      on.element,
      this.#count,
      heat.element,
      elements.element,
    );
    this.#count.setAttribute('aria-live', 'polite');
    const view = make('div', { class: 'view' }, bar, this.#screen.element);
    this.#body = make(
      'div',
      { class: 'whole' },
      this.#about.element,
      this.#strip.element,
      make('div', { class: 'closely' }, view, this.#decisions.element),
    );
  }

  get whole(): TrajectoryDetail | undefined {
    return this.#store.state.whole;
  }

  get at(): number {
    return this.#store.state.at;
  }

  open(id: string | undefined, at?: number): void {
    const before = this.#store.state.id;
    this.#store.tell({ kind: 'opened', id, at });
    if (before === id) return;
    if (before !== undefined) this.#uses.frames.forget(before);
    // What is said from now on is not said of the one before.
    this.#uses.arrived?.(undefined);
    this.reload();
  }

  /** Asks for it anew: what is known of it may have changed. */
  reload(): void {
    const { id, at } = this.#store.state;
    if (id === undefined) return;
    // Together with the rest: it need not wait for it.
    if (Number.isFinite(at)) this.#fetch(id, at);
    this.#uses.link.request('trajectory.get', { trajectory: id }).then(
      whole => {
        this.#store.tell({ kind: 'arrived', whole });
        // Another may have been opened meanwhile.
        if (id === this.#store.state.id) this.#uses.arrived?.(whole);
      },
      (error: unknown) => this.#store.tell({ kind: 'failed', id, why: wordsOf(error) }),
    );
  }

  /** There is a connection again: what could not be fetched without is fetched now. */
  connected(): void {
    if (this.#store.state.trouble !== undefined) this.reload();
  }

  /** Somebody said something of it. */
  mark(marked: AnnotationMarks): void {
    const { whole } = this.#store.state;
    if (whole !== undefined) this.#store.tell({ kind: 'arrived', whole: { ...whole, marked } });
  }

  /** Whether it used that key. */
  pressed({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const event = ctrlKey || metaKey || altKey ? undefined : KEYS[key];
    if (event === undefined || this.#store.state.whole === undefined) return false;
    this.#go(event);
    return true;
  }

  #go(event: LookingEvent): void {
    const before = this.#store.state;
    this.#store.tell(event);
    const { state } = this.#store;
    if (state.at !== before.at) this.#uses.moved(state.at);
    const { withHeat, withElements } = state;
    if (withHeat !== before.withHeat || withElements !== before.withElements)
      this.#uses.kept.keep(KEPT, { withHeat, withElements });
  }

  #draw(state: Looking, before: Looking): void {
    const { id, whole, at, trouble, isPlaying, withHeat, withElements } = state;
    this.#pace(isPlaying);
    if (id === undefined) {
      this.element.replaceChildren();
      return;
    }
    if (trouble !== undefined) {
      this.element.replaceChildren(
        troubled('This trajectory cannot be shown.', trouble, () => this.reload()),
      );
      return;
    }
    if (whole === undefined) {
      this.element.replaceChildren(waiting('Fetching the trajectory…'));
      return;
    }
    if (this.element.firstElementChild !== this.#body) this.element.replaceChildren(this.#body);
    this.#about.show(whole, Date.now());
    this.#strip.show(whole, at);
    const step = stepAt(state);
    if (whole.each !== before.whole?.each || at !== before.at)
      this.#decisions.show(step, whole.purpose === 'train');
    const { heat, elements, play, back, on } = this.#buttons;
    heat.press(withHeat);
    elements.press(withElements);
    play.say(isPlaying ? 'Pause' : 'Play');
    back.enable(at > 0);
    on.enable(at < whole.each.length);
    this.#count.textContent =
      step === undefined
        ? `After ${plural(whole.each.length, 'step')}`
        : `Step ${at + 1} of ${whole.each.length}`;
    this.#fetch(whole.trajectory, at);
    if (withElements && state.elements === undefined) this.#fetchElements(whole.trajectory, at);
    const shown = withElements ? (state.elements ?? []) : [];
    this.#screen.mark(
      { step, withHeat, elements: shown },
      `Screen ${step === undefined ? 'at the end' : `before: ${step.says}`}`,
    );
    if (withElements && state.elements === null)
      this.#count.textContent += ' · no elements are known of this screen';
  }

  #fetch(trajectory: string, at: number): void {
    const { frames } = this.#uses;
    this.#screen.picture(frames.known(trajectory, at));
    frames.get(trajectory, at, true).then(
      picture => {
        const { id, at: now } = this.#store.state;
        if (id === trajectory && now === at) this.#screen.picture(picture);
        // The next one will be wanted soon.
        const { whole } = this.#store.state;
        if (whole !== undefined && at + 1 < whole.frames.count)
          frames.get(trajectory, at + 1, false).catch(() => undefined);
      },
      (error: unknown) => {
        const { id, at: now } = this.#store.state;
        if (id === trajectory && now === at) this.#count.textContent = wordsOf(error);
      },
    );
  }

  #fetchElements(trajectory: string, at: number): void {
    this.#uses.link.request('trajectory.elements', { trajectory, step: at }).then(
      ({ elements }) => this.#store.tell({ kind: 'elements', id: trajectory, at, elements }),
      (error: unknown) => {
        this.#count.textContent = wordsOf(error);
      },
    );
  }

  #pace(isPlaying: boolean): void {
    if (isPlaying === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = isPlaying ? setInterval(() => this.#go({ kind: 'ticked' }), PACE) : undefined;
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const KEYS: Readonly<Record<string, LookingEvent>> = {
  ArrowLeft: { kind: 'stepped', by: -1 },
  ArrowRight: { kind: 'stepped', by: 1 },
  Home: { kind: 'went', at: 0 },
  End: { kind: 'went', at: Number.MAX_SAFE_INTEGER },
  ' ': { kind: 'toggled', what: 'play' },
  h: { kind: 'toggled', what: 'heat' },
  e: { kind: 'toggled', what: 'elements' },
};
