// One recording: a person, a desktop, and the state that the client shows. Calls of the desktop happen one after another, in the order of
// the requests.

import type { Action } from '../core/action.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import { messageOf } from '../core/errors.ts';
import { key } from '../core/key.ts';
import type { Mode } from '../core/policy.ts';
import type { Instance, Task } from '../core/task.ts';
import type { Outcome } from '../core/verdict.ts';
import { actionError } from '../environments/action-error.ts';
import type { RecordingLook, RecordingState, RecordSplit, SentInput } from '../protocol/daemon/record.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { demonstrationFrom, type PersonDemonstration } from './demonstration.ts';
import { type InputState, NO_INPUT, nextInput, type PersonEvent } from './input.ts';
import { judgementOf, type PersonEnding } from './judgement.ts';
import { PersonDesktop } from './person-desktop.ts';
import { RecordError, RecordingBoard } from './recording-board.ts';
import { SerialCalls } from './serial-calls.ts';
import { inWords, type PersonStep, withAction, withWait } from './steps.ts';

/** An opened desktop, and what it offers. */
export interface RecordingDesktop {
  readonly desktop: Desktop;
  /** The actions of the scripted solution, without waits between them; undefined if there is none. */
  solution(instance: Instance, signal: AbortSignal): Promise<readonly Action[] | undefined>;
  /** Returns the desktop. */
  close(): Promise<void>;
}

export interface RecordingOptions {
  readonly name: string;
  readonly kind: DesktopKind;
  readonly task: Task;
  readonly instance: Instance;
  readonly split: RecordSplit;
  readonly tier: RecordingState['tier'];
  readonly maxSteps: number;
  readonly mode: Mode;
  /** The person's own instruction. */
  readonly instruction?: string;
  readonly who: string;
  readonly open: (signal: AbortSignal) => Promise<RecordingDesktop>;
  /** Stores a demonstration and adds it to the success pool. */
  readonly keep: (demonstration: PersonDemonstration) => Promise<void>;
  readonly clock: Clock;
}

/** A look without a change takes this long. */
const LOOK_MS = 1000;
/** While somebody watches a screen that changes by itself, it is looked at this often. */
const GLANCE_MS = 80;
/** The same after looks without a change: a look delays the input that arrives meanwhile. */
const MAX_GLANCE_MS = 320;
/** The pause before each action of a shown solution. */
const SHOW_PAUSE_MS = 700;

export class Recording {
  readonly #options: RecordingOptions;
  readonly #closing = new AbortController();
  readonly #calls = new SerialCalls();
  readonly #board: RecordingBoard;
  #opened: RecordingDesktop | undefined;
  #person: PersonDesktop | undefined;
  #input: InputState = NO_INPUT;
  #steps: readonly PersonStep[] = [];
  /** As the desktop judged it. */
  #outcome: Outcome | undefined;
  /** The instruction of the instance, which some tasks make at their start. */
  #ofInstance = '';
  #startedAt = 0;
  #endedAt = 0;
  #showing = new AbortController();
  #glanceMs = GLANCE_MS;

  constructor(options: RecordingOptions) {
    this.#options = options;
    const { name, kind, task, instance, split, tier, maxSteps, instruction } = options;
    this.#board = new RecordingBoard({
      ...{ recording: name, change: 1, phase: 'opening', kind, task: task.id, seed: instance.seed, split },
      ...{ tier, maxSteps, instruction: instruction ?? task.instruction, isOwn: instruction !== undefined },
      ...{ isDeterministic: false, steps: [] },
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

  /** Resolves once the screen or the state differs, or after a second. Without a look nothing is compressed. */
  async look(
    frame: number,
    change: number,
  ): Promise<{ readonly result: RecordingLook; readonly png: Uint8Array }> {
    const { clock } = this.#options;
    const end = clock.now() + LOOK_MS;
    const isNew = (): boolean => this.#board.state.change !== change || (this.#person?.frame ?? 0) !== frame;
    while (!isNew() && clock.now() < end && this.isOpen) {
      await this.#board.changeWithin(Math.min(this.#glanceMs, Math.max(1, end - clock.now())), clock);
      if (!isNew() && this.#calls.isIdle && this.#person?.changesByItself === true && this.#isLive)
        await this.#call(() => this.#glance()).catch(() => undefined);
    }
    const person = this.#person;
    const state = this.#board.state;
    if (person === undefined) return { result: { state, frame: 0 }, png: new Uint8Array() };
    if (person.frame === frame) return { result: { state, frame }, png: new Uint8Array() };
    const picture = person.picture();
    person.forget(this.#steps);
    const png = await picture.png;
    return { result: { state: this.#board.state, frame: picture.frame, picture: picture.size }, png };
  }

  /** Performs the actions of these events. Resolves once they are performed. */
  async input(inputs: readonly SentInput[]): Promise<RecordingState> {
    await this.#during(['acting'], 'take input', async () => {
      for (const sent of inputs) {
        const { state, actions } = nextInput(this.#input, { event: personEventOf(sent), time: sent.time });
        this.#input = state;
        for (const action of actions) {
          if (this.#board.state.phase !== 'acting') return;
          await this.#perform(action, sent.frame);
        }
      }
    });
    return this.#board.state;
  }

  async finish(ending: PersonEnding, isDone: boolean | undefined): Promise<RecordingState> {
    await this.#during(['acting'], 'be finished', () => this.#judge(ending, isDone, true));
    return this.#board.state;
  }

  /** Starts the same instance over. Interrupts a solution that is shown. */
  async restart(): Promise<RecordingState> {
    this.#showing.abort();
    await this.#during(['acting', 'showing', 'judged', 'failed'], 'be started over', () => this.#begin());
    return this.#board.state;
  }

  /** Resolves at once; the solution plays while the client looks. */
  async showSolution(): Promise<RecordingState> {
    this.#showing.abort();
    this.#board.require(['acting', 'showing', 'judged'], 'show a solution');
    this.#showing = new AbortController();
    const signal = AbortSignal.any([this.#showing.signal, this.#closing.signal]);
    this.#board.update({ phase: 'showing', shown: undefined, problem: undefined });
    this.#begun(() => this.#show(signal));
    return this.#board.state;
  }

  /** Resolves when the replay has begun; the state reports its result. */
  async save(drop: readonly number[]): Promise<RecordingState> {
    const { split, instance } = this.#options;
    this.#board.require(['judged'], 'be saved');
    const outside = drop.find(number => number >= this.#steps.length);
    if (outside !== undefined)
      throw new RecordError(
        `The demonstration has no step ${outside}: it has ${this.#steps.length} steps, from 0. Drop others.`,
      );
    if (split !== 'train')
      throw new RecordError(
        `Seed ${instance.seed} of '${instance.task}' is for tests, and never trains. Record an instance of the split 'train'.`,
      );
    if (this.#board.state.judgement?.success !== true)
      throw new RecordError(
        'The task was not solved, so there is nothing to learn. Start over, or discard it.',
      );
    this.#board.update({ phase: 'checking', problem: undefined });
    this.#begun(() => this.#save(new Set(drop)));
    return this.#board.state;
  }

  async discard(): Promise<RecordingState> {
    await this.close();
    return this.#board.state;
  }

  /** Returns the desktop. Repeated calls have no effect. */
  async close(): Promise<void> {
    this.#closing.abort(new RecordError('The recording has ended. Start another one.'));
    this.#showing.abort();
    await this.#calls.ended();
    await this.#return();
    if (this.#board.state.phase !== 'saved') this.#board.update({ phase: 'discarded' });
  }

  async #glance(): Promise<void> {
    const person = this.#needPerson();
    const before = person.frame;
    await person.look();
    this.#glanceMs = person.frame === before ? Math.min(MAX_GLANCE_MS, 2 * this.#glanceMs) : GLANCE_MS;
  }

  get #isLive(): boolean {
    return this.#board.state.phase === 'acting';
  }

  async #open(): Promise<void> {
    const { open } = this.#options;
    const opened = await open(this.#closing.signal);
    this.#opened = opened;
    this.#board.update({ isDeterministic: opened.desktop.renderer !== undefined });
    await this.#begin();
  }

  async #begin(): Promise<void> {
    const { task, instance, instruction: own, clock } = this.#options;
    const { desktop } = this.#needDesktop();
    const { person, instruction } = await PersonDesktop.start(desktop, {
      ...{ task, seed: instance.seed, clock },
    });
    this.#startedAt = clock.now();
    this.#person = person;
    this.#ofInstance = instruction;
    this.#input = NO_INPUT;
    this.#steps = [];
    this.#outcome = undefined;
    const { width, height } = person.screen.pixels;
    this.#board.update({
      ...{ phase: 'acting', steps: [], screen: { width, height }, instruction: own ?? instruction },
      ...{ judgement: undefined, problem: undefined, shown: undefined },
    });
  }

  async #perform(action: Parameters<PersonDesktop['perform']>[0], frame: number): Promise<void> {
    const person = this.#needPerson();
    const error = actionError(action.action, person.screen.pixels);
    if (error !== undefined) throw new RecordError(`The input is not possible: ${error}.`);
    // The picture of the screen that the person saw, while it still exists.
    const seen = this.#board.state.isDeterministic ? frame : person.pictureOf(frame).frame;
    const hasWaited = this.#steps.length > 0 && action.press === undefined && person.hasWaited;
    const waitedFor = person.frame;
    const performed = await person.perform(action, this.#steps);
    this.#glanceMs = GLANCE_MS;
    if (performed === undefined) return;
    const steps = hasWaited ? withWait(this.#steps, waitedFor) : this.#steps;
    this.#setSteps(withAction(steps, { ...performed, frame: seen }));
    if (person.screen.isOver === true) await this.#judge('finished', undefined, false);
    else this.#board.update({ problem: undefined });
  }

  #setSteps(steps: readonly PersonStep[]): void {
    this.#steps = steps;
    this.#board.update({ steps: steps.map(({ action, says }) => ({ action, says })) });
  }

  async #judge(ending: PersonEnding, isDone: boolean | undefined, withStep: boolean): Promise<void> {
    const { task, clock } = this.#options;
    const { isOwn, isDeterministic } = this.#board.state;
    if (isOwn && isDone === undefined)
      throw new RecordError('Only you can judge your own instruction. Say whether it was done.');
    const { desktop } = this.#needDesktop();
    const person = this.#needPerson();
    if (withStep && this.#steps.length > 0 && person.hasWaited)
      this.#setSteps(withWait(this.#steps, person.frame));
    // The last picture of the demonstration, before the desktop is used again.
    if (!isDeterministic) person.picture();
    const verdict = await desktop.judge(ending);
    this.#endedAt = clock.now();
    const judged = await judgementOf(desktop, task, ending, verdict);
    if (withStep) {
      const action: Action =
        ending === 'finished' ? { kind: 'finished', answer: '' } : { kind: 'fail', why: '' };
      const elements = person.screen.elements ?? [];
      this.#setSteps([...this.#steps, { action, frame: person.frame, says: inWords(action, elements) }]);
    }
    this.#outcome = { kind: 'judged', ending, verdict };
    const judgement = isOwn ? { ending, success: isDone === true, checks: [] } : judged;
    this.#board.update({ phase: 'judged', judgement, problem: undefined });
  }

  async #show(signal: AbortSignal): Promise<void> {
    const { clock, instance } = this.#options;
    const actions = await this.#needDesktop().solution(instance, signal);
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
      const person = this.#needPerson();
      const { elements = [] } = person.screen;
      if (action.kind !== 'finished' && action.kind !== 'fail') await person.perform({ action }, []);
      this.#setSteps([...this.#steps, { action, frame: person.frame, says: inWords(action, elements) }]);
      this.#board.update({ shown: { at: index + 1, of: actions.length } });
    }
  }

  async #save(drop: ReadonlySet<number>): Promise<void> {
    const { keep, instruction: own, ...about } = this.#options;
    const { desktop } = this.#needDesktop();
    const outcome = this.#outcome;
    if (outcome === undefined) throw new RecordError('The task was not judged. Start over.');
    try {
      const made = await demonstrationFrom(desktop, {
        ...{ ...about, outcome, drop, steps: this.#steps, person: this.#needPerson() },
        ...{ instruction: this.#ofInstance, startedAt: this.#startedAt, endedAt: this.#endedAt },
        ...(own !== undefined && { own }),
      });
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
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
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
            problem: `${messageOf(error)} Start over, or discard the recording.`,
          });
        throw error;
      }
    });
  }

  /** The same for a call whose result the state reports. */
  #begun(act: () => Promise<void>): void {
    this.#call(act).catch(() => undefined);
  }

  #needDesktop(): RecordingDesktop {
    if (this.#opened !== undefined) return this.#opened;
    throw new RecordError('The desktop has been returned. Start another recording.');
  }

  #needPerson(): PersonDesktop {
    if (this.#person !== undefined) return this.#person;
    throw new RecordError('The desktop has not started. Start over, or discard the recording.');
  }
}

/** The names of keys were checked by the protocol. */
export const personEventOf = ({ event }: Pick<SentInput, 'event'>): PersonEvent => {
  if (event.kind !== 'keys') return event;
  const [first, ...others] = event.keys;
  return { kind: 'keys', keys: [key(first), ...others.map(key)] };
};
