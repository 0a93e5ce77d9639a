// The episode of a recording: the steps of the person and of the agent on one desktop, from its start to its judgement. Calls do not
// overlap; the recording sees to that.

import type { Action } from '../core/action.ts';
import { actionError } from '../core/action-error.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import type { Screen } from '../core/screen.ts';
import type { Step } from '../core/step.ts';
import type { Instance, Task } from '../core/task.ts';
import type { Ending, Outcome } from '../core/verdict.ts';
import type { SentInput } from '../protocol/daemon/record.ts';
import type { BegunEpisode } from './begun-episode.ts';
import {
  type InputState,
  joinLetters,
  NO_INPUT,
  nextInput,
  type PersonAction,
  personEventOf,
} from './input.ts';
import { judgementOf, type PersonEnding } from './judgement.ts';
import { PersonDesktop } from './person-desktop.ts';
import type { Pilot } from './pilot.ts';
import { RecordError } from './record-error.ts';
import type { RecordingBoard } from './recording-board.ts';
import { begunSteps, inWords, type PersonStep, withAction, withWait } from './steps.ts';

interface EpisodeOptions {
  readonly desktop: Desktop;
  readonly task: Task;
  readonly instance: Instance;
  readonly board: RecordingBoard;
  readonly clock: Clock;
}

/** The end of an instruction of the person's own, as the agent reports it. */
const REPORTS: Readonly<Record<Ending, string>> = {
  finished: 'The agent reports the task as done.',
  fail: 'The agent reports the task as infeasible.',
  capped: 'The agent has used all of its steps.',
};
const ENDED_ITSELF = 'The page has ended the task.';

export class RecordedEpisode {
  readonly person: PersonDesktop;
  /** Of the instance: some tasks make it at their start. */
  readonly instruction: string;
  readonly startedAt: number;
  /** The agent that acts. */
  pilot: Pilot | undefined;
  readonly #options: EpisodeOptions;
  #steps: readonly PersonStep[] = [];
  #input: InputState = NO_INPUT;
  /** The end of an instruction of the person's own as the agent reported it, until somebody acts. */
  #reported: PersonStep | undefined;
  #end: { readonly outcome: Outcome; readonly at: number } | undefined;

  private constructor(
    options: EpisodeOptions,
    { person, instruction }: { readonly person: PersonDesktop; readonly instruction: string },
  ) {
    this.#options = options;
    this.person = person;
    this.instruction = instruction;
    this.startedAt = options.clock.now();
  }

  static async start(options: EpisodeOptions): Promise<RecordedEpisode> {
    const { desktop, task, instance, clock } = options;
    const started = await PersonDesktop.start(desktop, { task, seed: instance.seed, clock });
    return new RecordedEpisode(options, started);
  }

  /** The person continues what an agent has begun. */
  static continue(options: EpisodeOptions, begun: BegunEpisode): RecordedEpisode {
    const { desktop, task, instance, clock } = options;
    const continued = PersonDesktop.continue(desktop, { task, seed: instance.seed, clock }, begun);
    const episode = new RecordedEpisode(options, continued);
    episode.#steps = begunSteps(begun.actions);
    return episode;
  }

  get steps(): readonly PersonStep[] {
    return this.#steps;
  }

  /** As the desktop judged it, and when. Undefined while it goes on. */
  get end(): { readonly outcome: Outcome; readonly at: number } | undefined {
    return this.#end;
  }

  async input(inputs: readonly SentInput[]): Promise<void> {
    for (const sent of joinLetters(inputs)) {
      // A pointer that rests over a watched screen is no action.
      if (sent.event.kind === 'rest' && this.pilot?.isFlying === true) continue;
      const { state, actions } = nextInput(this.#input, { event: personEventOf(sent), time: sent.time });
      this.#input = state;
      for (const action of actions) {
        if (this.#end !== undefined) return;
        await this.#perform(action, sent.frame);
      }
    }
  }

  /** By the person. */
  async finish(ending: PersonEnding, isDone: boolean | undefined): Promise<void> {
    const { person } = this;
    const { isOwn } = this.#options.board.state;
    if (isOwn && isDone === undefined)
      throw new RecordError('Only you can judge your own instruction. Say whether it was done.');
    this.pilot?.interrupt();
    // The person confirms the report of the agent.
    if (this.#reported?.action.kind === ending) return this.#judge(ending, isDone, this.#reported);
    // No step ends a task that has ended itself.
    if (isOwn && ending === 'finished' && person.screen.isOver === true) return this.#judge(ending, isDone);
    if (this.#steps.length > 0 && person.hasWaited)
      this.#setSteps(withWait(this.#steps, person.actedPicture().frame));
    const action: Action =
      ending === 'finished' ? { kind: 'finished', answer: '' } : { kind: 'fail', why: '' };
    await this.#judge(ending, isDone, { action, frame: person.frame, says: inWords(action, []) });
  }

  /** By the agent, which decided so many actions in the turn. Undefined if it ended the episode. */
  async performFor(decided: Step, turnLength: number): Promise<Screen | undefined> {
    const { action } = decided;
    const { person } = this;
    const { isDeterministic, isOwn } = this.#options.board.state;
    if (!isDeterministic) person.picture();
    const says = inWords(action, person.screen.elements ?? []);
    const step: PersonStep = { action, frame: person.frame, says, by: 'agent', decided, turnLength };
    this.#input = NO_INPUT;
    if (action.kind === 'finished' || action.kind === 'fail') {
      if (isOwn) this.#report(action.kind, step);
      else await this.#judge(action.kind, undefined, step);
      return undefined;
    }
    await person.performExactly(action);
    this.#setSteps([...this.#steps, step]);
    if (person.screen.isOver === true) await this.#endItself();
    return this.#end === undefined ? person.copy() : undefined;
  }

  /** The agent has reached its step limit. */
  async cap(): Promise<void> {
    if (this.#options.board.state.isOwn) this.#report('capped', undefined);
    else await this.#judge('capped', undefined);
  }

  /** Performs an action of a scripted solution. */
  async show(action: Action): Promise<void> {
    const { person } = this;
    const { elements = [] } = person.screen;
    if (action.kind !== 'finished' && action.kind !== 'fail') await person.perform({ action }, []);
    this.#setSteps([...this.#steps, { action, frame: person.frame, says: inWords(action, elements) }]);
  }

  /** Of the person. */
  async #perform(action: PersonAction, frame: number): Promise<void> {
    const { person, pilot } = this;
    const { board } = this.#options;
    const error = actionError(action.action, person.screen.pixels);
    if (error !== undefined) throw new RecordError(`The input is not possible: ${error}.`);
    pilot?.interrupt();
    this.#reported = undefined;
    const before = pilot && person.copy();
    // The picture of the screen that the person saw, while it still exists.
    const seen = board.state.isDeterministic ? frame : person.pictureOf(frame).frame;
    const hasWaited = this.#steps.length > 0 && action.press === undefined && person.hasWaited;
    // Before the action is performed: then it is the last one.
    const waitedFrom = hasWaited ? person.actedPicture().frame : undefined;
    const performed = await person.perform(action, this.#steps);
    if (performed === undefined) return;
    const steps = waitedFrom === undefined ? this.#steps : withWait(this.#steps, waitedFrom);
    this.#setSteps(withAction(steps, { ...performed, frame: seen }));
    if (before !== undefined) pilot?.witness(this.#steps, before);
    board.update({ problem: undefined });
    if (person.screen.isOver === true) await this.#endItself();
  }

  /** The task has ended the episode. With an instruction of the person's own it goes on until they judge it. */
  async #endItself(): Promise<void> {
    if (this.#options.board.state.isOwn) this.pilot?.end(ENDED_ITSELF);
    else await this.#judge('finished', undefined);
  }

  /** Only the person can judge their own instruction. */
  #report(ending: Ending, step: PersonStep | undefined): void {
    this.#reported = step;
    this.pilot?.end(REPORTS[ending]);
  }

  /** `last`: the step that ends the episode, if one does. */
  async #judge(ending: Ending, isDone: boolean | undefined, last?: PersonStep): Promise<void> {
    const { desktop, task, board, clock } = this.#options;
    const { isOwn, isDeterministic } = board.state;
    // The last picture of the demonstration, before the desktop is used again.
    if (!isDeterministic) this.person.picture();
    const verdict = await desktop.judge(ending);
    const at = clock.now();
    const judged = await judgementOf(desktop, task, ending, verdict);
    if (last !== undefined) this.#setSteps([...this.#steps, last]);
    this.#end = { outcome: { kind: 'judged', ending, verdict }, at };
    const judgement = isOwn ? { ending, success: isDone === true, checks: [] } : judged;
    board.update({ phase: 'judged', judgement, problem: undefined });
  }

  #setSteps(steps: readonly PersonStep[]): void {
    this.#steps = steps;
    this.#options.board.showSteps(steps);
  }
}
