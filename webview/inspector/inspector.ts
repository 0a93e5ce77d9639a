// One trajectory in detail: header, film strip, the screen of one step, and the decisions of that step.

import type { AnnotationMarks } from '../../runtime/protocol/daemon/remarks.ts';
import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button, spinner } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { messageOf } from '../shared/errors.ts';
import type { FrameCache } from '../shared/frame-cache.ts';
import type { PageHost } from '../shared/host.ts';
import { plural } from '../shared/labels.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import { errorState } from '../shared/placeholders.ts';
import { isCombined, shortcutKey } from '../shared/shortcut-key.ts';
import { Store } from '../shared/store.ts';
import { DecisionList } from './decisions.ts';
import { TrajectoryHeader } from './header.ts';
import { ReplyView } from './reply/reply.ts';
import { turnAt } from './reply/turn.ts';
import { ScreenView } from './screen.ts';
import {
  CLOSED_INSPECTOR,
  type InspectorEvent,
  type InspectorState,
  parseOverlays,
  reduceInspector,
  stepAt,
} from './state.ts';
import { Strip } from './strip.ts';

const STEP_PAUSE_MS = 800;
const STORAGE_KEY = 'drawn-on-screens';

interface Options {
  readonly link: DaemonLink;
  readonly frames: FrameCache;
  /** Stores which overlays are on. */
  readonly storage: Pick<PageHost, 'read' | 'keep'>;
  /** Opens another trajectory, in place of this one or beside it. */
  open(trajectory: string, isBeside: boolean): void;
  /** The user went to another step. */
  onStep(at: number): void;
  /** The trajectory arrived; undefined while another one loads. */
  onLoad?(whole: TrajectoryDetail | undefined): void;
}

export class Inspector {
  readonly element = make('article', { class: 'inspector' });
  readonly #options: Options;
  readonly #store: Store<InspectorState, InspectorEvent>;
  readonly #header: TrajectoryHeader;
  readonly #screen = new ScreenView();
  readonly #strip: Strip;
  readonly #decisions = new DecisionList();
  readonly #reply = new ReplyView(at => this.#go({ kind: 'went', at }));
  readonly #closely: HTMLElement;
  readonly #buttons;
  readonly #count = make('p', { class: 'count' });
  readonly #body: HTMLElement;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: Options) {
    this.#options = options;
    const initial = { ...CLOSED_INSPECTOR, ...parseOverlays(options.storage.read(STORAGE_KEY)) };
    this.#store = new Store(initial, reduceInspector, (state, before) => this.#draw(state, before));
    this.#header = new TrajectoryHeader((trajectory, isBeside) => options.open(trajectory, isBeside));
    this.#strip = new Strip(options.frames, at => this.#go({ kind: 'went', at }));
    const dispatch = (event: InspectorEvent) => () => this.#go(event);
    this.#buttons = {
      back: button(
        { text: '◀', label: 'Previous step', title: 'Previous step (←)', kind: 'icon' },
        dispatch({ kind: 'stepped', by: -1 }),
      ),
      play: button({ text: 'Play', title: 'Play (Space)' }, dispatch({ kind: 'toggled', what: 'play' })),
      on: button(
        { text: '▶', label: 'Next step', title: 'Next step (→)', kind: 'icon' },
        dispatch({ kind: 'stepped', by: 1 }),
      ),
      heat: button(
        { text: 'Alternatives', title: 'Other pointer targets and their probabilities (h)' },
        dispatch({ kind: 'toggled', what: 'heat' }),
      ),
      elements: button(
        { text: 'Elements', title: 'The elements of the accessibility tree (e)' },
        dispatch({ kind: 'toggled', what: 'elements' }),
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
    this.#closely = make('div', { class: 'closely' }, view, this.#decisions.element);
    this.#body = make('div', { class: 'whole' }, this.#header.element, this.#strip.element, this.#closely);
  }

  get whole(): TrajectoryDetail | undefined {
    return this.#store.state.whole;
  }

  get at(): number {
    return this.#store.state.at;
  }

  open(id: string | undefined, at?: number): void {
    const before = this.#store.state.id;
    this.#store.dispatch({ kind: 'opened', id, at });
    if (before === id) return;
    this.#options.onLoad?.(undefined);
    this.reload();
  }

  /** Fetches the trajectory again, since its marks may have changed. */
  reload(): void {
    const { id, at } = this.#store.state;
    if (id === undefined) return;
    // In parallel with the trajectory.
    if (Number.isFinite(at)) this.#fetchFrame(id, at);
    this.#options.link.request('trajectory.get', { trajectory: id }).then(
      whole => {
        this.#store.dispatch({ kind: 'arrived', whole });
        // The user may have opened another trajectory meanwhile.
        if (id === this.#store.state.id) this.#options.onLoad?.(whole);
      },
      (error: unknown) => this.#store.dispatch({ kind: 'failed', id, why: messageOf(error) }),
    );
  }

  /** After a reconnect: fetches again what failed before, screens included. */
  connected(): void {
    const { whole, problem } = this.#store.state;
    // Otherwise the first request has no reply yet.
    if (whole !== undefined || problem !== undefined) this.reload();
    this.#strip.retry();
  }

  /** The user added a remark. */
  mark(marked: AnnotationMarks): void {
    const { whole } = this.#store.state;
    if (whole !== undefined) this.#store.dispatch({ kind: 'arrived', whole: { ...whole, marked } });
  }

  /** Handles a key; returns whether it used the key. */
  keyPressed(pressed: KeyboardEvent): boolean {
    const event = isCombined(pressed) ? undefined : KEYS[shortcutKey(pressed)];
    if (event === undefined || this.#store.state.whole === undefined) return false;
    this.#go(event);
    return true;
  }

  #go(event: InspectorEvent): void {
    const before = this.#store.state;
    this.#store.dispatch(event);
    const { state } = this.#store;
    if (state.at !== before.at) this.#options.onStep(state.at);
    const { withHeat, withElements } = state;
    if (withHeat !== before.withHeat || withElements !== before.withElements)
      this.#options.storage.keep(STORAGE_KEY, { withHeat, withElements });
  }

  #draw(state: InspectorState, before: InspectorState): void {
    const { id, whole, at, problem, isPlaying, withHeat, withElements } = state;
    this.#setPlaying(isPlaying);
    if (id === undefined) {
      this.#strip.clear();
      this.element.replaceChildren();
      return;
    }
    if (problem !== undefined) {
      this.element.replaceChildren(
        errorState('The trajectory could not be loaded.', problem, () => this.reload()),
      );
      return;
    }
    if (whole === undefined) {
      this.element.replaceChildren(spinner('Loading the trajectory…'));
      return;
    }
    if (this.element.firstElementChild !== this.#body) this.element.replaceChildren(this.#body);
    this.#header.show(whole, Date.now());
    this.#strip.show(whole, at);
    const step = stepAt(state);
    if (whole.each !== before.whole?.each || at !== before.at) this.#explain(whole, at);
    const { heat, elements, play, back, on } = this.#buttons;
    heat.setPressed(withHeat);
    elements.setPressed(withElements);
    play.setText(isPlaying ? 'Pause' : 'Play');
    back.setEnabled(at > 0);
    on.setEnabled(at < whole.each.length);
    this.#count.textContent =
      step === undefined
        ? `After ${plural(whole.each.length, 'step')}`
        : `Step ${at + 1} of ${whole.each.length}`;
    this.#fetchFrame(whole.trajectory, at);
    if (withElements && state.elements === undefined) this.#fetchElements(whole.trajectory, at);
    const visibleElements = withElements ? (state.elements ?? []) : [];
    this.#screen.mark(
      { step, withHeat, elements: visibleElements },
      `Screen ${step === undefined ? 'at the end' : `before: ${step.says}`}`,
    );
    if (withElements && state.elements === null)
      this.#count.textContent += ' · no elements recorded for this screen';
  }

  /** How the step was chosen: by decisions, or by a reply. */
  #explain(whole: TrajectoryDetail, at: number): void {
    const mayTrain = whole.purpose === 'train';
    const turn = turnAt(whole.each, at);
    if (turn === undefined) this.#decisions.show(whole.each[at], mayTrain);
    else this.#reply.show(turn, at, mayTrain);
    // A language model has no alternative targets to draw.
    this.#buttons.heat.element.hidden = turn !== undefined;
    const { element } = turn === undefined ? this.#decisions : this.#reply;
    this.#closely.dataset['chosen'] = turn === undefined ? 'decisions' : 'reply';
    if (this.#closely.lastElementChild !== element) this.#closely.lastElementChild?.replaceWith(element);
  }

  #fetchFrame(trajectory: string, at: number): void {
    const { frames } = this.#options;
    this.#screen.picture(frames.cached(trajectory, at));
    frames.get(trajectory, at, true).then(
      picture => {
        if (this.#isAt(trajectory, at)) this.#screen.picture(picture);
        // Prefetch the next frame. If that fails, it is fetched again when the user goes there.
        const { whole } = this.#store.state;
        if (whole !== undefined && at + 1 < whole.frames.count)
          frames.get(trajectory, at + 1, false).catch(() => undefined);
      },
      (error: unknown) => {
        if (!this.#isAt(trajectory, at)) return;
        this.#screen.clear();
        this.#count.textContent = messageOf(error);
      },
    );
  }

  /** The user can have moved on since. */
  #isAt(trajectory: string, at: number): boolean {
    const { state } = this.#store;
    return state.id === trajectory && state.at === at;
  }

  #fetchElements(trajectory: string, at: number): void {
    this.#options.link.request('trajectory.elements', { trajectory, step: at }).then(
      ({ elements }) => this.#store.dispatch({ kind: 'elements', id: trajectory, at, elements }),
      (error: unknown) => {
        if (this.#isAt(trajectory, at)) this.#count.textContent = messageOf(error);
      },
    );
  }

  /** Stops when the panel was left. */
  #tick(): void {
    this.#go(this.element.isConnected ? { kind: 'ticked' } : { kind: 'toggled', what: 'play' });
  }

  #setPlaying(isPlaying: boolean): void {
    if (isPlaying === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = isPlaying ? setInterval(() => this.#tick(), STEP_PAUSE_MS) : undefined;
  }
}

const KEYS: Readonly<Record<string, InspectorEvent>> = {
  ArrowLeft: { kind: 'stepped', by: -1 },
  ArrowRight: { kind: 'stepped', by: 1 },
  Home: { kind: 'went', at: 0 },
  End: { kind: 'went', at: Number.MAX_SAFE_INTEGER },
  ' ': { kind: 'toggled', what: 'play' },
  h: { kind: 'toggled', what: 'heat' },
  e: { kind: 'toggled', what: 'elements' },
};
