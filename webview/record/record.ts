// The panel Record: choose a task, do it by hand on a live desktop or let an agent do it, have it judged, drop superfluous steps, and save it.

import type { PilotMode, RecordingLook, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import type { DesktopKind } from '../../runtime/protocol/desktop-kinds.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { annotatorName, setAnnotatorName } from '../shared/annotator.ts';
import { make } from '../shared/dom.ts';
import { messageOf } from '../shared/errors.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { emptyState, errorState } from '../shared/placeholders.ts';
import { isCombined, shortcutKey } from '../shared/shortcut-key.ts';
import { RecordChooser } from './chooser.ts';
import { RecordDrafts } from './drafts.ts';
import { Explanation } from './explanation.ts';
import { Looker } from './looker.ts';
import { PilotBar } from './pilot-bar.ts';
import { sendCommand, startRecording } from './requests.ts';
import { InputSender } from './sender.ts';
import { RecordSide } from './side.ts';
import { RecordStage } from './stage.ts';
import {
  type ChosenRecording,
  chosenBy,
  explainedStep,
  isInUse,
  isOf,
  pilotKey,
  type RecordCommand,
} from './state.ts';

export class RecordPanel implements Panel {
  readonly element = make('div', { class: 'record' });
  readonly #context: PanelContext;
  readonly #chooser: RecordChooser;
  readonly #stage: RecordStage;
  readonly #side: RecordSide;
  readonly #pilot: PilotBar;
  readonly #explanation: Explanation;
  readonly #hint = make('p', { class: 'record-hint' });
  readonly #notes = make('div');
  readonly #work: HTMLElement;
  readonly #looker: Looker;
  readonly #sender: InputSender;
  #place: PanelPlace = { panel: 'record' };
  #kind: DesktopKind | undefined;
  /** The tasks of earlier requests are ignored. */
  #loads = 0;
  #state: RecordingState | undefined;
  #frame = 0;
  #isConnected = false;
  /** The number of buttons that were pressed. */
  #commands = 0;
  /** The step of the agent that the user selected, until there is another step. */
  #selected: number | undefined;
  /** The place asks for a task or an agent; it starts once. */
  #asked: ChosenRecording | undefined;

  constructor(context: PanelContext) {
    this.#context = context;
    const drafts = new RecordDrafts(context.host);
    this.#kind = drafts.choice.kind;
    this.#chooser = new RecordChooser({
      drafts,
      chosenKind: kind => {
        drafts.choose({ kind });
        // The address may name another kind: a reload must not return to it.
        const { kind: _, ...place } = this.#place;
        this.#place = place;
        context.replace(place);
        void this.#loadTasks(kind);
      },
      named: who => setAnnotatorName(context.host, who),
      start: chosen => this.#start(chosen),
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
    this.#pilot = new PilotBar({
      fly: mode => this.#fly(mode),
      answer: isApproved => this.#answer(isApproved),
    });
    const selectStep = (step: number) => {
      this.#selected = step;
      this.#showState();
    };
    this.#explanation = new Explanation({
      ...{ link: () => this.#link, select: selectStep },
      proposed: step => this.#stage.propose(step),
    });
    this.#side = new RecordSide({
      ...{ pilot: this.#pilot.element, explanation: this.#explanation.element, selectStep, drafts },
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
    this.signatureChanged();
    document.addEventListener('visibilitychange', () => this.#updateLooking());
    new IntersectionObserver(() => this.#updateLooking()).observe(this.element);
    this.#hint.setAttribute('role', 'status');
    this.#showCapture(false);
  }

  show(place: PanelPlace): void {
    this.#place = place;
    this.#asked = chosenBy(place);
    this.#updateLooking();
    // A desktop may have been taken over since.
    const state = this.#state;
    if (!this.#isConnected) return;
    if (state === undefined || !isInUse(state)) void this.#load();
    else this.#claim(state);
  }

  connected(): void {
    this.#isConnected = true;
    void this.#load();
  }

  stateChanged(): void {}

  runsChanged(): void {}

  signatureChanged(): void {
    this.#chooser.setName(annotatorName(this.#context.host));
  }

  keyPressed(event: KeyboardEvent): boolean {
    const state = this.#state;
    if (state === undefined || isCombined(event)) return false;
    const meant = pilotKey(shortcutKey(event), state);
    if (meant === undefined) return false;
    // A held key would approve actions that nobody has seen.
    if (event.repeat) return true;
    if ('mode' in meant) this.#fly(meant.mode);
    else this.#answer(meant.approved);
    return true;
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
      if (recording !== undefined) {
        this.#enter(recording);
        this.#claim(recording);
        return;
      }
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

  /** One recording at a time: this one is shown, whatever the place asks for. */
  #claim(recording: RecordingState): void {
    const asked = this.#takeAsked();
    if (asked !== undefined && !isOf(recording, asked)) this.#fail(new Error(UNDER_WAY));
  }

  /** Only once: a page that is opened again at its place must not start an agent by itself. */
  #takeAsked(): ChosenRecording | undefined {
    const asked = this.#asked;
    // A panel that is not on the page takes it when it is shown again.
    if (asked === undefined || !this.element.isConnected) return undefined;
    this.#asked = undefined;
    const { run, kind } = this.#place;
    this.#place = { panel: 'record', ...(run !== undefined && { run }), ...(kind !== undefined && { kind }) };
    this.#context.replace(this.#place);
    return asked;
  }

  async #loadKinds(): Promise<void> {
    const kind = this.#place.kind ?? this.#kind;
    const [{ kinds }] = await Promise.all([this.#link.request('desktops.kinds', {}), this.#loadTasks(kind)]);
    if (this.#kind !== undefined) this.#chooser.setKinds(kinds, this.#kind);
    const asked = this.#takeAsked();
    if (asked !== undefined && this.#state === undefined) this.#start(asked, this.#place.run);
  }

  async #loadTasks(asked: DesktopKind | undefined): Promise<void> {
    const load = ++this.#loads;
    this.#kind = asked;
    this.#chooser.loading();
    try {
      const { kind, tasks, agents } = await this.#link.request('record.tasks', {
        ...(asked && { kind: asked }),
      });
      // The user may have chosen another kind meanwhile.
      if (load !== this.#loads) return;
      this.#kind = kind;
      this.#chooser.show(tasks, agents);
    } catch (error) {
      if (load !== this.#loads) return;
      const retry = () => void this.#loadTasks(asked);
      this.#chooser.note(errorState('The tasks could not be loaded.', messageOf(error), retry));
    }
  }

  /** `weights`: those of the built-in agent. Undefined: the default of the daemon. */
  #start(chosen: ChosenRecording, weights?: string): void {
    const details = { kind: this.#kind, who: annotatorName(this.#context.host), weights };
    this.#try(async () => {
      const state = await startRecording(this.#link, chosen, details);
      if (state !== undefined) this.#enter(state);
    });
  }

  #fly(mode: PilotMode): void {
    const { recording } = this.#state ?? {};
    if (recording === undefined) return;
    this.#try(async () => this.#receive(await this.#link.request('record.pilot', { recording, mode })));
  }

  /** Of the proposal that the user sees. */
  #answer(approved: boolean): void {
    const { recording, steps } = this.#state ?? {};
    if (recording === undefined || steps === undefined) return;
    const answer = { recording, step: steps.length, approved };
    this.#try(async () => this.#receive(await this.#link.request('record.approve', answer)));
  }

  #enter(state: RecordingState): void {
    if (this.#state?.recording !== state.recording) {
      this.#side.reset(state.recording);
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
      const chosen = {
        task,
        ...(state.isOwn && { instruction: state.instruction }),
        ...(state.pilot !== undefined && { agent: state.pilot.agent }),
      };
      this.#start(chosen, state.pilot?.from);
      return;
    }
    const number = ++this.#commands;
    const isEnd = ENDS.has(command);
    if (!isEnd) this.#sender.clear();
    this.#try(async () => {
      if (isEnd && !(await this.#sender.sent())) return;
      // The user has pressed another button meanwhile, or the last input has ended the episode.
      if (number !== this.#commands || (isEnd && this.#state?.phase !== 'acting')) return;
      this.#receive(await sendCommand(this.#link, command, recording, this.#side.dropped));
      if (command === 'restart' && state.pilot === undefined) this.#stage.focus();
      else this.#side.focus();
      if (command === 'discard') this.#leave();
    });
  }

  /** A desktop that was taken over is on the wall again. Somebody who has opened another panel meanwhile stays there. */
  #leave(): void {
    const isOnWall = this.#state?.desktop !== undefined && this.element.isConnected;
    const panel = isOnWall ? 'desktops' : 'record';
    this.#state = undefined;
    this.#context.go({ panel }, panel === 'desktops');
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
    const isLive = state.phase === 'acting';
    if (known?.steps.length !== state.steps.length) this.#selected = undefined;
    this.#state = state;
    this.#showState();
    // A watched agent leaves the keyboard to the page, until the person clicks the screen. Where they write, it stays.
    if (isLive && document.activeElement === document.body) this.#pilot.focus();
    if (!isOther) return;
    this.#showCapture(this.element.dataset['captured'] === 'true');
    this.#stage.lock(!isLive);
    if (isLive && state.pilot === undefined) this.#stage.focus();
  }

  #showState(): void {
    const state = this.#state;
    if (state === undefined) return;
    this.#side.show(state, explainedStep(state, this.#selected));
    this.#pilot.show(state);
    this.#explanation.show(state, this.#selected);
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
      : this.#state?.pilot === undefined
        ? 'Click the screen to use it. Its keys then go to the desktop.'
        : this.#state.phase === 'acting'
          ? 'To correct the agent, use the screen: the agent then pauses. y approves its next action, n rejects it.'
          : '';
  }
}

/** They have the demonstration judged, and input that was not sent yet belongs to it. The others make it useless. */
const ENDS: ReadonlySet<RecordCommand> = new Set(['finish', 'give-up', 'done']);

const UNDER_WAY = 'A recording is under way, and is shown. Save or discard it, then start another one.';
