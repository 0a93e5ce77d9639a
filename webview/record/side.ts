// Beside the live screen: the instruction, the judgement, the buttons, and the steps so far, which can be dropped before they are saved.

import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { type ButtonControl, button, checkbox, select } from '../shared/controls.ts';
import { make, signWithText } from '../shared/dom.ts';
import { capitalize } from '../shared/labels.ts';
import { MENU_KEYS } from './keyboard.ts';
import {
  aboutOf,
  COMMAND_LABELS,
  canDrop,
  commandsOf,
  PRIMARY,
  type RecordCommand,
  statusOf,
} from './state.ts';

interface SideOptions {
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
  readonly #steps = make('ol', { class: 'record-steps' });
  readonly #keys;
  readonly #known = new Map<RecordCommand, ButtonControl>();
  readonly #dropped = new Set<number>();
  #shown = '';

  constructor(options: SideOptions) {
    this.#options = options;
    this.#instruction.tabIndex = -1;
    this.#status.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    this.#keys = select('Send a key that the browser keeps', value => this.#menuKey(value));
    const stepsTitle = make('h3', { text: 'Steps' });
    stepsTitle.id = 'record-steps-title';
    this.#steps.setAttribute('aria-labelledby', stepsTitle.id);
    this.element = make(
      'section',
      { class: 'record-side' },
      ...[this.#instruction, this.#about, this.#status, this.#problem, this.#note, this.#checks],
      ...[this.#buttons, this.#keys.element, stepsTitle, this.#steps],
    );
    this.#resetKeys();
  }

  /** The numbers of the steps that the person dropped. */
  get dropped(): readonly number[] {
    return [...this.#dropped].sort((one, other) => one - other);
  }

  /** Another recording. */
  reset(): void {
    this.#dropped.clear();
    this.#shown = '';
  }

  focus(): void {
    this.#instruction.focus({ preventScroll: true });
  }

  show(state: RecordingState): void {
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
    if (phase === 'acting' || phase === 'showing') this.#dropped.clear();
    this.#showChecks(state);
    this.#showButtons(commandsOf(state));
    this.#showSteps(state);
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

  #showButtons(commands: readonly RecordCommand[]): void {
    const made = commands.map(command => this.#button(command).element);
    const isSame =
      made.length === this.#buttons.children.length &&
      made.every((element, index) => this.#buttons.children[index] === element);
    // A replaced button would lose the focus.
    if (!isSame) this.#buttons.replaceChildren(...made);
  }

  #button(command: RecordCommand): ButtonControl {
    const known = this.#known.get(command);
    if (known !== undefined) return known;
    const kind = PRIMARY.has(command) ? 'primary' : 'secondary';
    const made = button({ ...COMMAND_LABELS[command], kind }, () => this.#options.command(command));
    this.#known.set(command, made);
    return made;
  }

  #showSteps(state: RecordingState): void {
    const { steps, phase } = state;
    const shown = JSON.stringify([phase === 'judged', steps.map(({ says }) => says)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#steps.replaceChildren(
      ...steps.map(({ says }, index) => {
        const text = capitalize(says);
        if (!canDrop(state, index)) return make('li', { text });
        const keeps = checkbox(text, isKept => {
          if (isKept) this.#dropped.delete(index);
          else this.#dropped.add(index);
        });
        keeps.setChecked(!this.#dropped.has(index));
        keeps.element.title = 'Clear it to leave out this step';
        return make('li', {}, keeps.element);
      }),
    );
    // The newest step is visible while the person acts.
    if (phase === 'acting') this.#steps.scrollTop = this.#steps.scrollHeight;
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

/** Screen readers announce a change, and only that. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
