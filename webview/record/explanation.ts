// The explanation of a step of the agent, or of its proposal: its decisions with their alternatives, or its reply with tokens. Fetched
// when it is shown, since it is large.

import type { RecordedDecision, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import type { StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { DecisionList } from '../inspector/decisions.ts';
import { ReplyView } from '../inspector/reply/reply.ts';
import { turnAt } from '../inspector/reply/turn.ts';
import { make } from '../shared/dom.ts';
import { ConnectionLostError, RequestTimeoutError } from '../shared/errors.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import { explainedStep } from './state.ts';

interface ExplanationOptions {
  readonly link: () => DaemonLink;
  /** The user selected a step of the same turn. */
  readonly select: (step: number) => void;
  /** The proposal in detail; undefined if none is shown. */
  readonly proposed: (step: StepDetail | undefined) => void;
}

export class Explanation {
  readonly element = make('section', { class: 'record-explanation' });
  readonly #options: ExplanationOptions;
  readonly #decisions = new DecisionList();
  readonly #reply: ReplyView;
  #from = 0;
  /** The step that is shown or fetched. */
  #key = '';

  constructor(options: ExplanationOptions) {
    this.#options = options;
    this.#reply = new ReplyView(at => options.select(this.#from + at));
    this.element.setAttribute('aria-label', 'How the agent chose');
  }

  show(state: RecordingState, selected: number | undefined): void {
    const step = explainedStep(state, selected);
    const isProposal = step === state.steps.length;
    const says = isProposal ? state.pilot?.proposal?.says : state.steps[step ?? -1]?.says;
    // After a restart, other steps have the same numbers.
    const key = JSON.stringify([state.recording, step, isProposal, says]);
    if (key === this.#key) return;
    this.#key = key;
    if (step === undefined) {
      this.#clear();
      return;
    }
    if (!isProposal) this.#options.proposed(undefined);
    this.#options
      .link()
      .request('record.decision', { recording: state.recording, step })
      .then(
        decision => this.#key === key && this.#explain(decision, step, isProposal),
        (error: unknown) => {
          if (this.#key !== key) return;
          // The next state asks again. Otherwise the step is gone: a newer state follows.
          if (error instanceof ConnectionLostError || error instanceof RequestTimeoutError) this.#key = '';
          this.#clear();
        },
      );
  }

  #explain({ from, each }: RecordedDecision, step: number, isProposal: boolean): void {
    const at = step - from;
    const turn = turnAt(each, at);
    this.#from = from;
    if (turn === undefined) this.#decisions.show(each[at], false);
    else this.#reply.show(turn, at, false);
    const { element } = turn === undefined ? this.#decisions : this.#reply;
    if (this.element.firstElementChild !== element) this.element.replaceChildren(element);
    this.#options.proposed(isProposal ? each[at] : undefined);
  }

  #clear(): void {
    this.element.replaceChildren();
    this.#options.proposed(undefined);
  }
}
