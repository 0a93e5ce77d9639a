// One recording: a person, a desktop, perhaps an agent, and the state that the client shows. Calls of the desktop happen one after another,
// in the order of the requests.

import type { PlayingAgent } from '../collect/playing-agent.ts';
import { sleepUnlessAborted } from '../core/clock.ts';
import { messageOf, sentenceOf } from '../core/errors.ts';
import type { Screen } from '../core/screen.ts';
import type { PilotMode, RecordingState, SentInput } from '../protocol/daemon/record.ts';
import type { BegunEpisode } from './begun-episode.ts';
import type { PersonEnding } from './judgement.ts';
import { Pilot, type PilotDesktop } from './pilot.ts';
import { RecordError } from './record-error.ts';
import { RecordedEpisode } from './recorded-episode.ts';
import { firstState, fromOf, RecordingBoard } from './recording-board.ts';
import { RecordingLooks, type RecordingPicture } from './recording-looks.ts';
import type { RecordingDesktop, RecordingOptions } from './recording-options.ts';
import { requireSavable, savedFrom } from './recording-result.ts';
import { SerialCalls } from './serial-calls.ts';
import { type DecidedSteps, decidedSteps } from './steps.ts';

/** The pause before each action of a shown solution. */
const SHOW_PAUSE_MS = 700;

export class Recording {
  readonly #options: RecordingOptions;
  readonly #closing = new AbortController();
  readonly #calls = new SerialCalls();
  readonly #board: RecordingBoard;
  readonly #looks: RecordingLooks;
  #opened: RecordingDesktop | undefined;
  #player: PlayingAgent | undefined;
  #episode: RecordedEpisode | undefined;
  #starts = 0;
  #showing = new AbortController();

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.#board = new RecordingBoard(firstState(options));
    this.#looks = new RecordingLooks({
      ...{ board: this.#board, calls: this.#calls, clock: options.clock },
      glance: () => this.#call(() => this.#needEpisode().person.look()),
      now: () => ({
        ...{ isOpen: this.isOpen, person: this.#episode?.person, steps: this.#episode?.steps ?? [] },
      }),
    });
    this.#begun(() => this.#open());
  }

  get state(): RecordingState {
    return this.#board.state;
  }

  /** The desktop is needed. */
  get isOpen(): boolean {
    return !this.#closing.signal.aborted;
  }

  /** Resolves once the screen or the state differs, or after a second. */
  look(frame: number, change: number): Promise<RecordingPicture> {
    return this.#looks.look(frame, change);
  }

  /** Performs the actions of these events. Resolves once they are performed. */
  async input(inputs: readonly SentInput[]): Promise<RecordingState> {
    await this.#inEpisode('take input', async episode => {
      await episode.input(inputs);
      this.#looks.acted();
    });
    return this.#board.state;
  }

  async finish(ending: PersonEnding, isDone: boolean | undefined): Promise<RecordingState> {
    await this.#inEpisode('be finished', episode => episode.finish(ending, isDone));
    return this.#board.state;
  }

  /** Lets the agent act, or pauses it. */
  fly(mode: PilotMode): RecordingState {
    this.#needPilot().fly(mode);
    return this.#board.state;
  }

  /** Performs the proposed action of the agent, or drops it. */
  approve(step: number, isApproved: boolean): RecordingState {
    this.#needPilot().answer(step, isApproved);
    return this.#board.state;
  }

  /** Nobody watches: the agent pauses. */
  pause(): void {
    const pilot = this.#episode?.pilot;
    if (pilot?.isFlying === true) pilot.fly('pause');
  }

  /** The agent's choice of a step, with the other steps of its turn. The number after the last step is that of its proposal. */
  decision(step: number): DecidedSteps {
    const episode = this.#needEpisode();
    return decidedSteps(episode.steps, episode.pilot?.proposed ?? [], step);
  }

  /** Starts the same instance over. Interrupts a solution that is shown. Resolves at once if the desktop has to be opened again. */
  async restart(): Promise<RecordingState> {
    this.#showing.abort();
    if (this.#board.state.phase === 'failed' && this.#opened === undefined) {
      this.#board.update({ phase: 'opening', problem: undefined });
      this.#begun(() => this.#open());
    } else
      await this.#during(['acting', 'showing', 'judged', 'failed'], 'be started over', () => this.#begin());
    return this.#board.state;
  }

  /** Resolves at once; the solution plays while the client looks. */
  async showSolution(): Promise<RecordingState> {
    this.#showing.abort();
    this.#board.require(['acting', 'showing', 'judged'], 'show a solution');
    if (!this.#board.state.hasSolution)
      throw new RecordError('No solution can be shown on this desktop. Do the task by hand.');
    this.#showing = new AbortController();
    const { signal } = this.#showing;
    this.#board.update({ phase: 'showing', shown: undefined, problem: undefined });
    this.#begun(() => this.#show(signal));
    return this.#board.state;
  }

  /** Resolves when the replay has begun; the state reports its result. */
  async save(drop: readonly number[]): Promise<RecordingState> {
    this.#board.require(['judged'], 'be saved');
    requireSavable(this.#board.state, drop);
    this.#board.update({ phase: 'checking', problem: undefined });
    this.#begun(() => this.#save(new Set(drop)));
    return this.#board.state;
  }

  async discard(): Promise<RecordingState> {
    await this.close();
    return this.#board.state;
  }

  /** Resolves at once, or when a save in progress has ended. Never rejects. */
  async saveEnded(): Promise<void> {
    if (this.#board.state.phase === 'checking') await this.#calls.ended();
  }

  /** Returns the desktop and the agent. Repeated calls have no effect. */
  async close(): Promise<void> {
    this.#closing.abort(new RecordError('The recording has ended. Start another one.'));
    this.#showing.abort();
    this.#episode?.pilot?.close();
    await this.#calls.ended();
    await this.#return();
    if (this.#board.state.phase !== 'saved') this.#board.update({ phase: 'discarded' });
  }

  async #open(): Promise<void> {
    const { open, pilot } = this.#options;
    // Of an attempt whose desktop did not open.
    const left = this.#player;
    this.#player = undefined;
    await left?.close();
    // An agent that cannot play needs no desktop.
    this.#player = await pilot?.open(this.#closing.signal);
    this.#player?.health.listen(message => this.#episode?.pilot?.trouble(message));
    const opened = await open(this.#closing.signal);
    this.#opened = opened;
    this.#board.update({
      isDeterministic: opened.desktop.renderer !== undefined,
      hasSolution: opened.solution !== undefined && pilot === undefined,
    });
    opened.lost?.then(error => this.#begun(() => Promise.reject(error)));
    await this.#begin(opened.begun);
  }

  /** `begun`: the person continues this episode. */
  async #begin(begun?: BegunEpisode): Promise<void> {
    const { task, instance, instruction: own, clock } = this.#options;
    const { desktop } = this.#needDesktop();
    const options = { desktop, task, instance, board: this.#board, clock };
    this.#episode?.pilot?.close();
    const episode =
      begun === undefined ? await RecordedEpisode.start(options) : RecordedEpisode.continue(options, begun);
    this.#episode = episode;
    const { width, height } = episode.person.screen.pixels;
    const instruction = own ?? episode.instruction;
    this.#board.showSteps(episode.steps, {
      ...{ phase: 'acting', screen: { width, height }, instruction },
      ...{ judgement: undefined, problem: undefined, shown: undefined },
    });
    this.#startPilot(episode, instruction);
  }

  #startPilot(episode: RecordedEpisode, instruction: string): void {
    const { name, maxSteps, clock, pilot } = this.#options;
    const player = this.#player;
    if (player === undefined || pilot === undefined) return;
    this.#starts += 1;
    episode.pilot = new Pilot({
      ...{ agent: player.agent, about: player.told, policyMode: player.mode, instruction, maxSteps },
      ...{ episode: `${name}.${this.#starts}`, mode: pilot.mode, clock },
      desktop: this.#pilotDesktop(episode),
      changed: state => this.#board.update({ pilot: { ...state, ...fromOf(pilot) } }),
    });
    episode.pilot.start();
  }

  #pilotDesktop(episode: RecordedEpisode): PilotDesktop {
    const isActing = () => this.#board.state.phase === 'acting';
    return {
      screen: () => episode.person.copy(),
      steps: () => episode.steps.length,
      isActing,
      perform: async (step, turnLength, isWanted) => {
        let after: Screen | undefined;
        await this.#call(async () => {
          if (isWanted() && isActing()) after = await episode.performFor(step, turnLength);
        });
        this.#looks.acted();
        return after;
      },
      cap: () =>
        this.#call(async () => {
          if (isActing() && this.#episode === episode && episode.end === undefined) await episode.cap();
        }),
    };
  }

  /** In the episode that the client saw: when its turn comes, nothing happens in one that was judged or started over meanwhile. */
  #inEpisode(what: string, act: (episode: RecordedEpisode) => Promise<void>): Promise<void> {
    const asked = this.#episode;
    return this.#during(['acting'], what, async () => {
      const episode = this.#needEpisode();
      if (episode === asked && episode.end === undefined) await act(episode);
    });
  }

  async #show(signal: AbortSignal): Promise<void> {
    const { clock, instance } = this.#options;
    const actions = await this.#needDesktop().solution?.(instance, signal);
    if (signal.aborted) return;
    await this.#begin();
    if (actions === undefined)
      return this.#board.update({
        problem: `The task '${instance.task}' has no scripted solution. Do it by hand.`,
      });
    this.#board.update({ phase: 'showing', shown: { at: 0, of: actions.length } });
    for (const [index, action] of actions.entries()) {
      await sleepUnlessAborted(clock, SHOW_PAUSE_MS, signal);
      if (signal.aborted) return;
      await this.#needEpisode().show(action);
      this.#board.update({ shown: { at: index + 1, of: actions.length } });
    }
  }

  async #save(drop: ReadonlySet<number>): Promise<void> {
    const { keep, instruction: own, ...about } = this.#options;
    const { desktop } = this.#needDesktop();
    const { end, steps, person, instruction, startedAt, pilot } = this.#needEpisode();
    if (end === undefined) throw new RecordError('The task was not judged. Start over.');
    const parts = {
      ...{ ...about, outcome: end.outcome, drop, steps, person, instruction, startedAt, endedAt: end.at },
      ...(own !== undefined && { own }),
    };
    const player = this.#player;
    try {
      const made = await savedFrom(desktop, parts, player && pilot && { player, images: pilot.images });
      if ('problem' in made) return this.#board.update({ phase: 'judged', problem: made.problem });
      this.#closing.signal.throwIfAborted();
      await keep(made);
      this.#board.update({ phase: 'saved', trajectory: made.trajectory.id, note: made.note });
    } catch (error) {
      const problem = `${messageOf(error)} Save it again, or start over.`;
      return this.#board.update({ phase: 'judged', problem });
    }
    this.#closing.abort(new RecordError('The demonstration has been saved. Start another one.'));
    await this.#return();
  }

  async #return(): Promise<void> {
    const [opened, player] = [this.#opened, this.#player];
    this.#opened = undefined;
    this.#player = undefined;
    this.#episode?.pilot?.close();
    await Promise.all([opened?.close(), player?.close()]);
  }

  /** Rejects in another phase. A failure of the desktop changes the phase, and is reported to the caller as well. */
  async #during(
    phases: readonly RecordingState['phase'][],
    what: string,
    act: () => Promise<void>,
  ): Promise<void> {
    this.#board.require(phases, what);
    await this.#call(act);
  }

  /** After all earlier calls. */
  #call(act: () => Promise<void>): Promise<void> {
    return this.#calls.run(async () => {
      try {
        this.#closing.signal.throwIfAborted();
        await act();
      } catch (error) {
        if (!(error instanceof RecordError) && this.isOpen)
          this.#board.update({
            phase: 'failed',
            problem: `${sentenceOf(error)} ${this.#remedy}`,
          });
        throw error;
      }
    });
  }

  /** After a failure of the desktop. */
  get #remedy(): string {
    return this.#board.state.desktop === undefined
      ? 'Start over, or discard the recording.'
      : 'Start over, or give it back and take over another desktop.';
  }

  /** The same for a call whose result the state reports. */
  #begun(act: () => Promise<void>): void {
    this.#call(act).catch(() => undefined);
  }

  #needDesktop(): RecordingDesktop {
    if (this.#opened !== undefined) return this.#opened;
    throw new RecordError('The desktop has been returned. Start another recording.');
  }

  #needEpisode(): RecordedEpisode {
    if (this.#episode !== undefined) return this.#episode;
    throw new RecordError('The desktop has not started. Start over, or discard the recording.');
  }

  /** While the episode goes on. */
  #needPilot(): Pilot {
    this.#board.require(['acting'], 'let an agent act');
    const pilot = this.#episode?.pilot;
    if (pilot !== undefined) return pilot;
    throw new RecordError('No agent acts in this recording. Start a live run of one.');
  }
}
