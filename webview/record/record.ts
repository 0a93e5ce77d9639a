// The panel Record: choose a task, do it by hand on a live desktop, have it judged, drop superfluous steps, and save it.

import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import type { RecordingLook, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import type { DesktopKind } from '../../runtime/protocol/desktop-kinds.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { annotatorName, setAnnotatorName } from '../shared/annotator.ts';
import { make } from '../shared/dom.ts';
import { messageOf } from '../shared/errors.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { emptyState, errorState } from '../shared/placeholders.ts';
import { RecordChooser } from './chooser.ts';
import { Looker } from './looker.ts';
import { InputSender } from './sender.ts';
import { RecordSide } from './side.ts';
import { RecordStage } from './stage.ts';
import { isInUse, type RecordCommand } from './state.ts';

export class RecordPanel implements Panel {
  readonly element = make('div', { class: 'record' });
  readonly #context: PanelContext;
  readonly #chooser: RecordChooser;
  readonly #stage: RecordStage;
  readonly #side: RecordSide;
  readonly #hint = make('p', { class: 'record-hint' });
  readonly #notes = make('div');
  readonly #work: HTMLElement;
  readonly #looker: Looker;
  readonly #sender: InputSender;
  #place: PanelPlace = { panel: 'record' };
  #kind: DesktopKind | undefined;
  #state: RecordingState | undefined;
  #frame = 0;
  #isConnected = false;
  /** The place asks for a task; it starts once. */
  #asked: string | undefined;

  constructor(context: PanelContext) {
    this.#context = context;
    this.#chooser = new RecordChooser({
      chosenKind: kind => this.#loadTasks(kind),
      named: who => setAnnotatorName(context.host, who),
      start: (task, instruction) => this.#start(task, instruction),
    });
    this.#sender = new InputSender({
      link: () => this.#link,
      recording: () => (this.#state?.phase === 'acting' ? this.#state.recording : undefined),
      frame: () => this.#frame,
      received: state => this.#receive(state),
      failed: error => this.#fail(error),
    });
    this.#stage = new RecordStage({
      send: (event, time) => this.#sender.send(event, time),
      refused: why => {
        this.#hint.textContent = why;
      },
      captured: isCaptured => this.#showCapture(isCaptured),
    });
    this.#side = new RecordSide({
      command: command => this.#command(command),
      keys: keys => {
        this.#sender.send({ kind: 'keys', keys: [...keys] }, performance.now());
        this.#stage.focus();
      },
      wait: () => this.#sender.send({ kind: 'wait' }, performance.now()),
    });
    this.#looker = new Looker({
      link: () => this.#link,
      received: (look, png) => this.#looked(look, png),
      failed: error => this.#lookFailed(error),
    });
    const stage = make('div', { class: 'record-stage' }, this.#stage.element, this.#hint);
    this.#work = make('div', { class: 'record-work' }, stage, this.#side.element);
    this.#chooser.setName(annotatorName(context.host));
    document.addEventListener('visibilitychange', () => this.#updateLooking());
    new IntersectionObserver(() => this.#updateLooking()).observe(this.element);
    this.#hint.setAttribute('role', 'status');
    this.#showCapture(false);
  }

  show(place: PanelPlace): void {
    this.#place = place;
    this.#asked = place.task;
    this.#updateLooking();
    if (this.#isConnected && this.#state === undefined) void this.#load();
  }

  connected(): void {
    this.#isConnected = true;
    void this.#load();
  }

  stateChanged(): void {}

  runsChanged(): void {}

  keyPressed(): boolean {
    return false;
  }

  get #link(): DaemonLink {
    return this.#context.host.link;
  }

  /** Continues the recording in progress, for example after a reload, or offers the tasks. */
  async #load(): Promise<void> {
    if (!this.#link.supports('record.start')) {
      const why = 'These runs are read-only. Open a folder of your own to record demonstrations.';
      this.element.replaceChildren(emptyState('Nothing can be recorded here', why));
      return;
    }
    try {
      const { recording } = await this.#link.request('record.now', {});
      if (recording !== undefined) return this.#enter(recording);
      this.#state = undefined;
      this.#showChooser();
      await this.#loadKinds();
    } catch (error) {
      this.#showChooser();
      this.#chooser.note(
        errorState('The tasks could not be loaded.', messageOf(error), () => void this.#load()),
      );
    }
  }

  async #loadKinds(): Promise<void> {
    const kind = this.#place.kind ?? this.#kind;
    const [{ kinds }] = await Promise.all([this.#link.request('desktops.kinds', {}), this.#loadTasks(kind)]);
    if (this.#kind !== undefined) this.#chooser.setKinds(kinds, this.#kind);
    const task = this.#asked;
    this.#asked = undefined;
    if (task !== undefined && this.#state === undefined) this.#start(task, undefined);
  }

  async #loadTasks(asked: DesktopKind | undefined): Promise<void> {
    this.#chooser.loading();
    try {
      const { kind, tasks } = await this.#link.request('record.tasks', { ...(asked && { kind: asked }) });
      this.#kind = kind;
      this.#chooser.show(tasks);
    } catch (error) {
      const retry = () => void this.#loadTasks(asked);
      this.#chooser.note(errorState('The tasks could not be loaded.', messageOf(error), retry));
    }
  }

  #start(task: string, instruction: string | undefined): void {
    const params: DaemonParams<'record.start'> = {
      task,
      ...(this.#kind !== undefined && { kind: this.#kind }),
      ...(instruction !== undefined && { instruction }),
      who: annotatorName(this.#context.host),
    };
    this.#try(async () => this.#enter(await this.#link.request('record.start', params)));
  }

  #enter(state: RecordingState): void {
    if (this.#state?.recording !== state.recording) {
      this.#side.reset();
      this.#frame = 0;
    }
    this.#state = undefined;
    this.element.replaceChildren(this.#notes, this.#work);
    this.#notes.replaceChildren();
    this.#receive(state);
    this.#looker.follow(undefined);
    this.#looker.follow(state.recording);
    this.#updateLooking();
  }

  #showChooser(): void {
    this.#looker.follow(undefined);
    this.element.replaceChildren(this.#chooser.element);
  }

  #command(command: RecordCommand): void {
    const state = this.#state;
    if (state === undefined) return;
    const { recording, task } = state;
    if (command === 'choose') {
      this.#leave();
      return;
    }
    if (command === 'another') {
      this.#kind = state.kind;
      this.#start(task, state.isOwn ? state.instruction : undefined);
      return;
    }
    this.#sender.clear();
    this.#try(async () => {
      this.#receive(await this.#request(command, recording));
      if (command === 'restart') this.#stage.focus();
      else this.#side.focus();
      if (command === 'discard') this.#leave();
    });
  }

  #request(
    command: Exclude<RecordCommand, 'choose' | 'another'>,
    recording: string,
  ): Promise<RecordingState> {
    switch (command) {
      case 'finish':
        return this.#link.request('record.finish', { recording, ending: 'finished' });
      case 'give-up':
        return this.#link.request('record.finish', { recording, ending: 'fail' });
      case 'done':
        return this.#link.request('record.finish', { recording, ending: 'finished', isDone: true });
      case 'solution':
        return this.#link.request('record.solution', { recording });
      case 'restart':
        return this.#link.request('record.restart', { recording });
      case 'save':
        return this.#link.request('record.save', { recording, drop: [...this.#side.dropped] });
      case 'discard':
        return this.#link.request('record.discard', { recording });
    }
  }

  #leave(): void {
    this.#state = undefined;
    this.#context.go({ panel: 'record' }, false);
    void this.#load();
  }

  async #looked({ state, frame, picture }: RecordingLook, png: Uint8Array<ArrayBuffer>): Promise<void> {
    if (picture !== undefined) {
      const image = await createImageBitmap(new Blob([png], { type: 'image/png' }));
      this.#stage.draw(image);
      image.close();
      this.#frame = frame;
    }
    this.#receive(state);
    // The desktop has been returned: nothing changes any more.
    if (!isInUse(state)) this.#looker.follow(undefined);
  }

  /** An older state may arrive after a newer one. */
  #receive(state: RecordingState): void {
    const known = this.#state;
    if (known !== undefined && known.recording === state.recording && known.change > state.change) return;
    const isOther = known?.phase !== state.phase;
    this.#state = state;
    this.#side.show(state);
    if (!isOther) return;
    this.#stage.lock(state.phase !== 'acting');
    if (state.phase === 'acting') this.#stage.focus();
  }

  #lookFailed(error: unknown): void {
    const why = messageOf(error);
    const retry = () => {
      this.#notes.replaceChildren();
      void this.#load();
    };
    this.#notes.replaceChildren(errorState('The recording cannot be shown here.', why, retry));
  }

  #fail(error: unknown): void {
    this.#context.showError(error);
  }

  #try(act: () => Promise<void>): void {
    act().catch((error: unknown) => this.#fail(error));
  }

  #updateLooking(): void {
    const isVisible = this.element.isConnected && document.visibilityState === 'visible';
    this.#looker.setActive(isVisible && this.#isConnected);
  }

  #showCapture(isCaptured: boolean): void {
    this.element.dataset['captured'] = String(isCaptured);
    this.#hint.textContent = isCaptured
      ? 'The desktop has the keyboard. Press Escape twice to release it. Ctrl+Shift+V types the text of the clipboard.'
      : 'Click the screen to use it. Its keys then go to the desktop.';
  }
}
