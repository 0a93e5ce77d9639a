// The agent of a recording: decides on the screen that is there, and acts as far as its mode allows. A person can act between any two of
// its calls, and lets it continue; it learns what the person did.
//
// Laws:
// - At most one call of the session or of the desktop at a time.
// - What it decided before the person acted is never performed afterwards.
// - A failed decision pauses it; nothing else changes.

import type { Action } from '../core/action.ts';
import type { Agent, AgentSession, SentImage, Turn } from '../core/agent.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { Mode } from '../core/policy.ts';
import { seeded } from '../core/rng.ts';
import type { Screen } from '../core/screen.ts';
import type { Step } from '../core/step.ts';
import type { PilotMode, PilotState } from '../protocol/daemon/record.ts';
import { stepOf } from '../rollout/play.ts';
import { RecordError } from './record-error.ts';
import { inWords, type PersonStep } from './steps.ts';

/** The desktop, as the recording lets an agent use it. */
export interface PilotDesktop {
  /** The present one, which later calls leave as it is. */
  screen(): Screen;
  /** The number of steps so far, whoever acted. */
  steps(): number;
  /** The episode goes on. */
  isActing(): boolean;
  /**
   * Performs a step of a turn with so many actions, after all earlier calls, if it is still wanted then. Resolves with the screen after it;
   * undefined if it was not performed or ended the episode.
   */
  perform(step: Step, turnLength: number, isWanted: () => boolean): Promise<Screen | undefined>;
  /** Ends the episode at the step limit. */
  cap(): Promise<void>;
}

export interface PilotOptions {
  readonly agent: Agent;
  /** For the user: which weights or model. */
  readonly about: string;
  readonly policyMode: Mode;
  readonly instruction: string;
  readonly maxSteps: number;
  /** Unique per start. */
  readonly episode: string;
  readonly mode: PilotMode;
  readonly desktop: PilotDesktop;
  readonly changed: (state: PilotState) => void;
  readonly clock: Clock;
}

/** Of an action by the person. */
interface WitnessedAction {
  readonly action: Action;
  readonly before: Screen;
  readonly after: Screen;
}

interface ProposedTurn {
  readonly turn: Turn;
  /** Of its actions: the one that is next. */
  readonly next: number;
}

/** An action is visible for this time before an agent that acts by itself performs it. */
const PACE_MS = 700;

export class Pilot {
  readonly #options: PilotOptions;
  readonly #session: AgentSession;
  readonly #closing = new AbortController();
  readonly #images: SentImage[] = [];
  #mode: PilotMode;
  #proposed: ProposedTurn | undefined;
  #isApproved = false;
  #isBusy = false;
  #isDeciding = false;
  /** Increases when the person acts. */
  #round = 0;
  #report: string | undefined;
  #problem: string | undefined;
  /** The screen that the proposal is about. */
  #seen: Screen | undefined;
  /** The latest step of the person, which their next action may still extend. */
  #growing: (Pick<WitnessedAction, 'action' | 'before'> & { readonly index: number }) | undefined;
  /** Actions of the person that the agent has not learned of. */
  #untold: readonly WitnessedAction[] = [];
  /** Aborted when something changes during a pause. */
  #pausing = new AbortController();

  /** Decides nothing before `start`. Throws if the agent cannot play in its mode. */
  constructor(options: PilotOptions) {
    const { agent, policyMode, instruction, maxSteps, episode, mode } = options;
    this.#options = options;
    this.#mode = mode;
    this.#session = agent.begin({
      ...{ episode, instruction, mode: policyMode, maxSteps, temperature: 0, exploration: 0 },
      ...{ random: seeded(episode), signal: this.#closing.signal },
    });
  }

  get state(): PilotState {
    const { agent, about } = this.#options;
    const [next] = this.proposed;
    return {
      ...{ agent: agent.id, about, mode: this.#mode, isDeciding: this.#isDeciding },
      ...(next !== undefined && {
        proposal: { action: next.action, says: inWords(next.action, this.#seen?.elements ?? []) },
      }),
      ...(this.#report !== undefined && { report: this.#report }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** The actions of its turn that were not performed yet. The first one is the proposal. */
  get proposed(): readonly Step[] {
    if (this.#proposed === undefined) return [];
    const { turn, next } = this.#proposed;
    return turn.actions.slice(next).map((_, index) => stepOf(turn, next + index));
  }

  /** All images of its observations, each once. */
  get images(): readonly SentImage[] {
    return this.#images;
  }

  /** It acts or decides without the person. */
  get isFlying(): boolean {
    return this.#mode !== 'pause';
  }

  start(): void {
    this.#go();
  }

  fly(mode: PilotMode): void {
    this.#mode = mode;
    this.#report = undefined;
    this.#problem = undefined;
    this.#endPause();
    this.#go();
  }

  /** Performs the proposal, or drops it and pauses. `step` is the number that it will have. */
  answer(step: number, isApproved: boolean): void {
    const { desktop } = this.#options;
    if (this.#proposed === undefined || desktop.steps() !== step)
      throw new RecordError(
        `The agent does not propose step ${step} any more. Look at its next proposal, and answer that.`,
      );
    if (isApproved) {
      this.#isApproved = true;
      this.#endPause();
      this.#go();
    } else this.interrupt();
  }

  /** The person acts or ends the episode: the agent pauses, and what it has decided is dropped. */
  interrupt(): void {
    this.#round += 1;
    this.#report = undefined;
    this.#stop();
  }

  /** It has nothing more to do. The person decides. */
  end(report: string): void {
    this.#report = report;
    this.#stop();
  }

  /** After an action of the person: all steps, and the screen before the action. */
  witness(steps: readonly PersonStep[], before: Screen): void {
    const index = steps.length - 1;
    const step = steps[index];
    if (step === undefined) return;
    if (this.#growing?.index === index) {
      this.#growing = { ...this.#growing, action: step.action };
      return;
    }
    this.#settle(before);
    this.#growing = { action: step.action, before, index };
    this.#go();
  }

  /** A failure of its servers, while they are tried again. */
  trouble(problem: string): void {
    if (!this.#isDeciding) return;
    this.#problem = problem;
    this.#changed();
  }

  /** Repeated calls have no effect. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new RecordError('The recording has ended. Start another one.'));
    this.#endPause();
    this.#session.close();
  }

  #stop(): void {
    this.#mode = 'pause';
    this.#proposed = undefined;
    this.#isApproved = false;
    this.#endPause();
    this.#changed();
  }

  #endPause(): void {
    this.#pausing.abort();
    this.#pausing = new AbortController();
  }

  #changed(): void {
    if (!this.#closing.signal.aborted) this.#options.changed(this.state);
  }

  /** Does what is next, one thing at a time. */
  #go(): void {
    this.#changed();
    const work = this.#nextWork();
    if (work === undefined || this.#isBusy) return;
    this.#isBusy = true;
    work()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#isBusy = false;
        this.#go();
      });
  }

  #nextWork(): (() => Promise<void>) | undefined {
    const proposed = this.#proposed;
    if (this.#closing.signal.aborted || !this.#options.desktop.isActing()) return undefined;
    if (this.#untold.length > 0) return () => this.#tell();
    if (proposed !== undefined) return this.#mayPerform ? () => this.#perform(proposed) : undefined;
    return this.#mode === 'pause' ? undefined : () => this.#decide();
  }

  get #mayPerform(): boolean {
    return this.#isApproved || this.#mode === 'run' || this.#mode === 'step';
  }

  async #decide(): Promise<void> {
    const { desktop, maxSteps } = this.#options;
    if (desktop.steps() >= maxSteps) {
      this.#mode = 'pause';
      return desktop.cap();
    }
    // The person may act meanwhile.
    while (this.#growing !== undefined || this.#untold.length > 0) {
      this.#settle(desktop.screen());
      await this.#tell();
    }
    if (this.#mode === 'pause') return;
    const [round, screen] = [this.#round, desktop.screen()];
    this.#isDeciding = true;
    this.#changed();
    try {
      const turn = await this.#session.next(screen);
      this.#images.push(...(turn.images ?? []));
      this.#problem = undefined;
      if (round !== this.#round) return;
      this.#proposed = { turn, next: 0 };
      this.#seen = screen;
    } finally {
      this.#isDeciding = false;
    }
  }

  async #perform(proposed: ProposedTurn): Promise<void> {
    const { desktop, clock, maxSteps } = this.#options;
    const { turn, next } = proposed;
    if (this.#mode === 'run' && !this.#isApproved)
      await sleepUnlessAborted(clock, PACE_MS, this.#pausing.signal);
    const step = stepOf(turn, next);
    const isWanted = () => this.#proposed === proposed && this.#mayPerform && !this.#closing.signal.aborted;
    // A failure of the desktop is one of the recording, which reports it.
    const screen = await desktop.perform(step, turn.actions.length, isWanted).catch((): undefined => {
      this.#stop();
      return undefined;
    });
    if (screen === undefined) {
      if (!desktop.isActing()) this.#proposed = undefined;
      return;
    }
    this.#session.acted(step.action, screen);
    // The person acted meanwhile: nothing more of this turn is performed.
    if (this.#proposed !== proposed) return;
    this.#seen = screen;
    this.#isApproved = false;
    if (this.#mode === 'step') this.#mode = 'pause';
    const hasNext = next + 1 < turn.actions.length && desktop.steps() < maxSteps;
    this.#proposed = hasNext ? { turn, next: next + 1 } : undefined;
  }

  /** The latest step of the person is complete: it led to this screen. */
  #settle(after: Screen): void {
    if (this.#growing === undefined) return;
    const { action, before } = this.#growing;
    this.#untold = [...this.#untold, { action, before, after }];
    this.#growing = undefined;
  }

  async #tell(): Promise<void> {
    for (let [first] = this.#untold; first !== undefined; [first] = this.#untold) {
      this.#untold = this.#untold.slice(1);
      await this.#session.witnessed(first.action, first.before, first.after);
    }
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#mode = 'pause';
    this.#problem = `${messageOf(error)} Let the agent continue to try again, or act by hand.`;
  }
}
