// The panel Annotate: a queue of successes, accepted or rejected one after another with single keys.

import type { AnnotationRemark } from '../../runtime/protocol/daemon/remarks.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { Inspector } from '../inspector/inspector.ts';
import { annotatorName, setAnnotatorName } from '../shared/annotator.ts';
import { spinner, textField } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { messageOf, PageRequestError } from '../shared/errors.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { errorState } from '../shared/placeholders.ts';
import { Refill } from '../shared/refill.ts';
import { shortcutKey } from '../shared/shortcut-key.ts';
import { Store } from '../shared/store.ts';
import { EmptyQueue } from './empty-queue.ts';
import { AnnotationForm } from './form.ts';
import { PresortControl } from './presort.ts';
import { QueueList } from './queue.ts';
import { agreementLabel, isQueueMode, QUEUE_MODES, type QueueMode } from './review.ts';
import {
  type AnnotateEvent,
  type AnnotateState,
  currentEntry,
  EMPTY_QUEUE,
  isAllDecided,
  ownVote,
  parseUndos,
  reduceAnnotate,
  remarkLabel,
  type UndoStep,
} from './state.ts';
import { modelAgreementLabel } from './suggestions.ts';

const MAX_FETCHED = 200;

const STORAGE_KEY = 'annotate-undos';
const MODE_KEY = 'annotate-queue';
const MAX_UNDOS = 50;

export class AnnotatePanel implements Panel {
  readonly element: HTMLElement;
  readonly #context: PanelContext;
  readonly #store: Store<AnnotateState, AnnotateEvent>;
  readonly #presort = new PresortControl({
    link: () => this.#context.host.link,
    run: () => this.#place.run,
    show: () => this.#showSuggested(),
    failed: error => this.#context.showError(error),
  });
  readonly #queue = new QueueList({
    presort: this.#presort.element,
    go: at => this.#goTo(at),
    setMode: mode => this.#setMode(mode),
    who: () => annotatorName(this.#context.host),
  });
  readonly #empty = new EmptyQueue({ refresh: () => this.#fetch(), undo: () => this.#undo() });
  readonly #inspector: Inspector;
  readonly #form: AnnotationForm;
  readonly #body: HTMLElement;
  readonly #name;
  /** The name field. An empty queue shows it elsewhere. */
  readonly #signature: HTMLElement;
  readonly #readOnlyNote = make('p', {
    class: 'faint',
    text: 'This is the read-only sample. In a folder of your own you accept or reject the successes of your runs here.',
  });
  readonly #announcement = make('p', { class: 'hidden' });
  #place: PanelPlace = { panel: 'annotate' };
  #isConnected = false;
  #mode: QueueMode;
  #lastRemark: Promise<unknown> = Promise.resolve();
  /** The replies of earlier requests are ignored. */
  #fetches = 0;
  /** The fetch that has its reply. */
  #answered = 0;
  #agreementFetches = 0;
  readonly #refill = new Refill({
    isEmpty: () => this.#answered === this.#fetches && this.#store.state.queue?.length === 0,
    fetch: () => this.#fetch(),
  });

  constructor(context: PanelContext) {
    this.#context = context;
    const { host, frames } = context;
    const mode = host.read(MODE_KEY);
    this.#mode = isQueueMode(mode) ? mode : 'coverage';
    this.#queue.setMode(this.#mode);
    this.#queue.setAgreement('');
    const begin = { ...EMPTY_QUEUE, undos: parseUndos(host.read(STORAGE_KEY)) };
    this.#store = new Store(begin, reduceAnnotate, state => this.#draw(state));
    this.#inspector = new Inspector({
      link: host.link,
      frames,
      storage: host,
      open: trajectory => context.go({ panel: 'trajectories', run: this.#place.run, trajectory }, true),
      onStep: step => {
        this.#form.stepChanged();
        context.go({ ...this.#place, step }, false);
      },
      onLoad: () => this.#draw(this.#store.state),
    });
    this.#form = new AnnotationForm({
      storage: host,
      send: (trajectory, remark) => this.#sendRemark(trajectory, remark),
      undo: () => this.#undo(),
      at: () => this.#inspector.at,
      who: () => annotatorName(host),
    });
    this.#announcement.setAttribute('role', 'status');
    this.#name = textField({ label: 'Your name', placeholder: 'Your name' }, text => {
      setAnnotatorName(host, text);
      // Another person has other votes.
      this.#draw(this.#store.state);
    });
    // Not at each letter: the name may be incomplete.
    this.#name.element.addEventListener('change', () => this.#fetchOfPerson());
    this.#name.value = annotatorName(host);
    this.#signature = make(
      'div',
      { class: 'signed' },
      make('span', { text: 'Signed as' }),
      this.#name.element,
    );
    const work = make(
      'div',
      { class: 'work' },
      this.#readOnlyNote,
      this.#form.element,
      this.#inspector.element,
    );
    this.#body = make('div', { class: 'annotating' }, this.#queue.element, work);
    this.element = make('div', { class: 'annotate' }, this.#announcement);
  }

  show(place: PanelPlace): void {
    const before = this.#place;
    this.#place = place;
    if (place.run !== before.run && this.#isConnected) {
      this.#fetch();
      return;
    }
    if (place.trajectory === before.trajectory) return;
    // The place names a trajectory of the queue.
    const { queue = [], at } = this.#store.state;
    const index = queue.findIndex(({ row }) => row.trajectory === place.trajectory);
    if (index >= 0 && index !== at) this.#goTo(index);
  }

  connected(): void {
    this.#isConnected = true;
    for (const part of [this.#form.element, this.#signature]) part.hidden = !this.#canAnnotate;
    this.#readOnlyNote.hidden = this.#canAnnotate;
    this.#fetch();
    this.#presort.connected();
    this.#inspector.connected();
  }

  /** Whether a trajectory is shown, and not an empty state. */
  get #hasTrajectory(): boolean {
    return this.element.firstElementChild === this.#body;
  }

  get #canAnnotate(): boolean {
    return this.#context.host.link.supports('annotate');
  }

  stateChanged(state: RunState): void {
    const { run = state.run } = this.#place;
    if (run === state.run) this.#refill.stateChanged(state);
  }

  runsChanged(): void {}

  signatureChanged(): void {
    this.#name.value = annotatorName(this.#context.host);
    this.#draw(this.#store.state);
    this.#fetchOfPerson();
  }

  keyPressed(event: KeyboardEvent): boolean {
    // Some layouts type these with Option, or with AltGr, which some systems report as Ctrl+Alt.
    const isTyped = event.altKey && !event.metaKey && ['[', ']', '\\'].includes(event.key);
    if (event.altKey && !isTyped) return false;
    const key = shortcutKey(event);
    if (!isTyped && (event.ctrlKey || event.metaKey)) {
      if (key !== 'z') return false;
      this.#undo();
      return true;
    }
    // Without a visible trajectory only undo works.
    if (!this.#hasTrajectory && key !== 'u') return false;
    const annotation = this.#canAnnotate ? this.#keys[key] : undefined;
    const does = this.#moves[key] ?? annotation;
    if (does === undefined) return this.#inspector.keyPressed(event);
    // A held key repeats, but counts as one decision.
    if (!(event.repeat && does === annotation)) does();
    return true;
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    a: () => this.#form.decide(true),
    r: () => this.#form.decide(false),
    k: () => this.#form.keyStep(),
    '[': () => this.#form.cut('from'),
    ']': () => this.#form.cut('to'),
    '\\': () => this.#form.uncut(),
    s: () => this.#form.reveal(),
    i: () => this.#form.edit('instruction'),
    n: () => this.#form.edit('note'),
    u: () => this.#undo(),
  };

  readonly #moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => this.#goTo(this.#store.state.at + 1),
    ArrowUp: () => this.#goTo(this.#store.state.at - 1),
  };

  /** Opens the wanted trajectory, or the first one for null. */
  #fetch(wanted = this.#place.trajectory ?? null): void {
    const { run } = this.#place;
    const { host } = this.#context;
    const { order, isSecond } = QUEUE_MODES[this.#mode];
    const who = annotatorName(host);
    const ofRun = run !== undefined && { run };
    const params = {
      ...{ offset: 0, limit: MAX_FETCHED, order },
      ...(isSecond && { secondOf: who }),
      ...ofRun,
    };
    const request = ++this.#fetches;
    host.link.request('annotation.queue', params).then(
      queue => {
        if (request !== this.#fetches) return;
        this.#answered = request;
        this.#store.dispatch({ kind: 'received', queue, wanted: wanted ?? undefined });
      },
      (error: unknown) => {
        if (request !== this.#fetches) return;
        this.#answered = request;
        this.#store.dispatch({ kind: 'failed', why: messageOf(error) });
      },
    );
    this.#fetchAgreement();
    this.#draw(this.#store.state);
  }

  /** Second opinions and the agreement with a model depend on the person. */
  #fetchOfPerson(): void {
    if (!this.#isConnected) return;
    if (QUEUE_MODES[this.#mode].isSecond) this.#fetch();
    else this.#fetchAgreement();
  }

  /** A failure shows no agreement: the queue reports failures. */
  #fetchAgreement(): void {
    const { host } = this.#context;
    const { run } = this.#place;
    const { isSecond } = QUEUE_MODES[this.#mode];
    const request = ++this.#agreementFetches;
    const isNewest = () => request === this.#agreementFetches;
    host.link.request('annotation.agreement', run === undefined ? {} : { run }).then(
      result => {
        if (!isNewest()) return;
        const who = annotatorName(host);
        const people = isSecond ? agreementLabel(result, who) : '';
        this.#queue.setAgreement([people, modelAgreementLabel(result, who)].filter(Boolean).join('\n'));
      },
      () => {
        if (isNewest()) this.#queue.setAgreement('');
      },
    );
  }

  #setMode(mode: QueueMode): void {
    if (mode === this.#mode) return;
    this.#keepMode(mode);
    this.#store.dispatch({ kind: 'cleared' });
    this.#fetch(null);
  }

  /** The queue may be in this order already, with fewer suggestions. */
  #showSuggested(): void {
    this.#keepMode('suggested');
    this.#fetch(null);
  }

  #keepMode(mode: QueueMode): void {
    this.#mode = mode;
    this.#context.host.keep(MODE_KEY, mode);
    this.#queue.setMode(mode);
  }

  #goTo(at: number): void {
    this.#store.dispatch({ kind: 'went', at });
  }

  #sendRemark(trajectory: string, remark: AnnotationRemark): Promise<boolean> {
    const who = annotatorName(this.#context.host);
    return this.#inTurn(async () => {
      if (remark.kind === 'pool' && ownVote(this.#store.state, trajectory, who) === remark.isMember) return;
      await this.#request({ trajectory, remark, who }, ({ marked, undo }) => {
        this.#store.dispatch({ kind: 'said', trajectory, remark, who, marked, undo });
        this.#announcement.textContent = remarkLabel(remark);
      });
    });
  }

  #undo(): void {
    void this.#inTurn(async () => {
      const { undos, queue = [] } = this.#store.state;
      const undo = undos.at(-1);
      if (undo === undefined) return;
      const undone = this.#request(undo, ({ marked }) => {
        this.#store.dispatch({ kind: 'undone', undo, marked });
        this.#announcement.textContent = `Undone: ${undo.says}`;
        // The remark is older than this queue: its trajectory may be in the queue again.
        if (!queue.some(({ row }) => row.trajectory === undo.trajectory)) this.#fetch(undo.trajectory);
      });
      await undone.catch((error: unknown) => {
        // It would stand before all earlier steps for ever.
        if (error instanceof PageRequestError && error.code === 'not_found') {
          this.#store.dispatch({ kind: 'undoDropped', undo });
          this.#keepUndos();
        }
        throw error;
      });
    });
  }

  #keepUndos(): void {
    this.#context.host.keep(STORAGE_KEY, this.#store.state.undos.slice(-MAX_UNDOS));
  }

  /** Sends remarks one after another, so that undo always reverts the last one. */
  #inTurn(send: () => Promise<void>): Promise<boolean> {
    const sent = this.#lastRemark.then(send).then(
      () => true,
      (error: unknown) => {
        this.#context.showError(error);
        return false;
      },
    );
    this.#lastRemark = sent;
    return sent;
  }

  async #request(
    { trajectory, remark, who }: Pick<UndoStep, 'trajectory' | 'remark' | 'who'>,
    done: (reply: RemarkReply) => void,
  ): Promise<void> {
    const { link } = this.#context.host;
    const reply = await link.request('annotate', { trajectory, remark, who });
    if (this.#inspector.whole?.trajectory === trajectory) this.#inspector.mark(reply.marked);
    done(reply);
    if (remark.kind === 'pool') this.#fetchAgreement();
    this.#keepUndos();
  }

  #draw(state: AnnotateState): void {
    const isSigning = this.#signature.contains(document.activeElement);
    const instead = this.#insteadOf(state);
    const content = instead ?? this.#body;
    if (instead === undefined && this.#signature.parentElement !== this.#queue.element)
      this.#queue.element.append(this.#signature);
    if (this.element.firstElementChild !== content) this.element.replaceChildren(content, this.#announcement);
    // An element that moves loses the focus.
    if (isSigning) this.#name.element.focus();
    if (instead !== undefined) return;
    this.#queue.show(state);
    const { row, suggestion } = currentEntry(state) ?? {};
    const trajectory = row?.trajectory;
    const isOther = trajectory !== this.#place.trajectory;
    const step = isOther ? 0 : this.#place.step;
    if (isOther) this.#context.go({ panel: 'annotate', run: this.#place.run, trajectory }, false);
    this.#inspector.open(trajectory, step);
    this.#form.show(trajectory, this.#inspector.whole, suggestion, state.undos.at(-1)?.says);
  }

  #insteadOf(state: AnnotateState): HTMLElement | undefined {
    const { queue, problem } = state;
    if (problem !== undefined)
      return errorState('The queue could not be loaded.', problem, () => this.#fetch());
    if (queue === undefined) return spinner('Loading the queue…');
    if (queue.length > 0 && !isAllDecided(state)) return undefined;
    this.#empty.show(state, this.#mode, this.#queue.modeElement, this.#signature);
    return this.#empty.element;
  }
}

interface RemarkReply {
  readonly marked: NonNullable<Inspector['whole']>['marked'];
  readonly undo: AnnotationRemark;
}
