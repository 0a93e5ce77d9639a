// The agent of a recording: its mode, its next action, and the answer of the person.

import type { PilotMode, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { PILOT_BUTTONS, pilotStatusOf } from './state.ts';
import { setText } from './text.ts';

interface PilotBarOptions {
  readonly fly: (mode: PilotMode) => void;
  readonly answer: (isApproved: boolean) => void;
}

export class PilotBar {
  readonly element: HTMLElement;
  readonly #about = make('p', { class: 'faint' });
  readonly #status = make('p', { class: 'record-proposal' });
  readonly #problem = make('p', { class: 'complaint' });
  readonly #modes;
  readonly #approve;
  readonly #answers: HTMLElement;

  constructor({ fly, answer }: PilotBarOptions) {
    this.#status.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    this.#modes = PILOT_BUTTONS.map(({ mode, text, title }) => ({
      mode,
      control: button({ text, title }, () => fly(mode)),
    }));
    this.#approve = button({ text: 'Approve', title: 'Perform it (y)', kind: 'primary' }, () => answer(true));
    const reject = button({ text: 'Reject', title: 'Do something else by hand (n)' }, () => answer(false));
    const modes = make('div', { class: 'record-buttons' }, ...this.#modes.map(each => each.control.element));
    modes.setAttribute('role', 'group');
    modes.setAttribute('aria-label', 'The agent');
    this.#answers = make('div', { class: 'record-buttons' }, this.#approve.element, reject.element);
    this.element = make(
      'section',
      { class: 'record-pilot' },
      ...[this.#about, modes, this.#status, this.#problem, this.#answers],
    );
    this.element.setAttribute('aria-label', 'Agent');
  }

  /** The user most likely answers a proposal next. */
  focus(): void {
    if (!this.element.hidden && !this.#answers.hidden) this.#approve.element.focus({ preventScroll: true });
  }

  show(state: RecordingState): void {
    const { pilot, phase } = state;
    this.element.hidden = pilot === undefined || phase !== 'acting';
    if (pilot === undefined) return;
    const { about, mode, proposal, problem } = pilot;
    setText(this.#about, about ?? '');
    setText(this.#status, pilotStatusOf(state));
    setText(this.#problem, problem ?? '');
    this.#problem.hidden = problem === undefined;
    for (const each of this.#modes) each.control.setPressed(each.mode === mode);
    this.#answers.hidden = proposal === undefined || mode === 'run' || mode === 'step';
  }
}
