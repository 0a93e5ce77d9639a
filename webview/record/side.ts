// Beside the live screen: the instruction, the agent, the judgement, the buttons, the steps so far, and how the agent chose one of them.

import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { type ButtonControl, button, menu } from '../shared/controls.ts';
import { make, signWithText } from '../shared/dom.ts';
import { capitalize } from '../shared/labels.ts';
import type { RecordDrafts } from './drafts.ts';
import { MENU_KEYS } from './keyboard.ts';
import { aboutOf, commandsOf, labelOf, PRIMARY, type RecordCommand, statusOf } from './state.ts';
import { RecordSteps } from './steps.ts';
import { setText } from './text.ts';

interface SideOptions {
  /** The controls of the agent, and how it chose a step. */
  readonly pilot: HTMLElement;
  readonly explanation: HTMLElement;
  readonly selectStep: (index: number) => void;
  readonly drafts: RecordDrafts;
  readonly command: (command: RecordCommand) => void;
  readonly keys: (keys: readonly [string, ...string[]]) => void;
  readonly wait: () => void;
}

const WAIT = 'wait';

export class RecordSide {
  readonly element: HTMLElement;
  readonly #options: SideOptions;
  readonly #instruction = make('h2');
  readonly #about = make('p', { class: 'faint' });
  readonly #status = make('p', { class: 'record-status' });
  readonly #problem = make('p', { class: 'complaint' });
  readonly #note = make('p');
  readonly #checks = make('ul', { class: 'record-checks' });
  readonly #buttons = make('div', { class: 'record-buttons' });
  readonly #steps: RecordSteps;
  readonly #keys;
  readonly #known = new Map<RecordCommand, ButtonControl>();

  constructor(options: SideOptions) {
    this.#options = options;
    this.#instruction.tabIndex = -1;
    this.#status.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    this.#keys = menu('Send a key that the browser keeps', value => this.#menuKey(value));
    const stepsTitle = make('h3', { text: 'Steps' });
    stepsTitle.id = 'record-steps-title';
    this.#steps = new RecordSteps(stepsTitle.id, options.drafts, options.selectStep);
    this.element = make(
      'section',
      { class: 'record-side' },
      ...[this.#instruction, this.#about, this.#status, options.pilot, this.#problem, this.#note],
      ...[this.#checks, this.#buttons, this.#keys.element, stepsTitle, this.#steps.element],
      options.explanation,
    );
    this.#resetKeys();
  }

  /** The numbers of the steps that the person dropped. */
  get dropped(): readonly number[] {
    return this.#steps.dropped;
  }

  /** Another recording. */
  reset(recording: string): void {
    this.#steps.reset(recording);
  }

  focus(): void {
    this.#instruction.focus({ preventScroll: true });
  }

  /** `explained`: the step whose decision is shown. */
  show(state: RecordingState, explained: number | undefined): void {
    const { instruction, problem, note, judgement, phase } = state;
    setText(this.#instruction, instruction);
    setText(this.#about, aboutOf(state));
    setText(this.#status, statusOf(state));
    this.#status.dataset['phase'] = phase;
    this.#status.dataset['success'] = String(judgement?.success ?? '');
    setText(this.#problem, problem ?? '');
    this.#problem.hidden = problem === undefined;
    setText(this.#note, note ?? '');
    this.#note.hidden = note === undefined;
    this.#keys.element.hidden = phase !== 'acting';
    this.#showChecks(state);
    this.#showButtons(state);
    this.#steps.show(state, explained);
  }

  #showChecks({ judgement }: RecordingState): void {
    const checks = judgement?.checks ?? [];
    this.#checks.hidden = checks.length === 0;
    this.#checks.replaceChildren(
      ...checks.map(({ met, says }) =>
        make(
          'li',
          { class: met ? 'success' : 'failure' },
          ...signWithText(met ? '✓' : '✗', met ? 'Met:' : 'Not met:'),
          make('span', { text: says }),
        ),
      ),
    );
  }

  #showButtons(state: RecordingState): void {
    const made = commandsOf(state).map(command => this.#button(command, state));
    const isSame =
      made.length === this.#buttons.children.length &&
      made.every((element, index) => this.#buttons.children[index] === element);
    // A replaced button would lose the focus.
    if (!isSame) this.#buttons.replaceChildren(...made);
  }

  #button(command: RecordCommand, state: RecordingState): HTMLElement {
    const { text, title } = labelOf(command, state);
    const kind = PRIMARY.has(command) ? 'primary' : 'secondary';
    const made = this.#known.get(command) ?? button({ text, kind }, () => this.#options.command(command));
    this.#known.set(command, made);
    if (made.element.textContent !== text) made.setText(text);
    made.element.title = title;
    return made.element;
  }

  #menuKey(value: string): void {
    if (value === WAIT) this.#options.wait();
    const keys = MENU_KEYS.find(each => each.join(' ') === value);
    if (keys !== undefined) this.#options.keys(keys);
    this.#resetKeys();
  }

  #resetKeys(): void {
    const keys = MENU_KEYS.map(each => ({ value: each.join(' '), text: each.map(capitalize).join('+') }));
    this.#keys.setOptions(
      [{ value: '', text: 'Send a key…' }, ...keys, { value: WAIT, text: 'Wait a moment' }],
      '',
    );
  }
}
