// The steps of a recording: who did each. Steps of the person can be dropped before they are saved; one of an agent is selected to show how
// it was chosen.

import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { checkbox } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { capitalize } from '../shared/labels.ts';
import type { RecordDrafts } from './drafts.ts';
import { canDrop } from './state.ts';

export class RecordSteps {
  readonly element = make('ol', { class: 'record-steps' });
  readonly #select: (index: number) => void;
  readonly #drafts: RecordDrafts;
  readonly #dropped = new Set<number>();
  #recording = '';
  #shown = '';

  constructor(labelledBy: string, drafts: RecordDrafts, select: (index: number) => void) {
    this.element.setAttribute('aria-labelledby', labelledBy);
    this.#drafts = drafts;
    this.#select = select;
  }

  /** The numbers of the steps that the person dropped. */
  get dropped(): readonly number[] {
    return [...this.#dropped].sort((one, other) => one - other);
  }

  /** Another recording, or the same in a page that was opened again. */
  reset(recording: string): void {
    this.#recording = recording;
    this.#dropped.clear();
    for (const step of this.#drafts.droppedFrom(recording)) this.#dropped.add(step);
    this.#shown = '';
  }

  /** `explained`: the step whose decision is shown. */
  show(state: RecordingState, explained: number | undefined): void {
    const { steps, phase, pilot } = state;
    if ((phase === 'acting' || phase === 'showing') && this.#dropped.size > 0) {
      this.#dropped.clear();
      this.#drafts.drop(this.#recording, []);
    }
    const shown = JSON.stringify([phase === 'judged', steps.map(({ says, by }) => [says, by]), pilot?.agent]);
    if (shown !== this.#shown) this.#fill(state);
    this.#shown = shown;
    for (const [index, item] of [...this.element.children].entries()) {
      const select = item.querySelector('button');
      if (index === explained) select?.setAttribute('aria-current', 'step');
      else select?.removeAttribute('aria-current');
    }
  }

  #fill(state: RecordingState): void {
    this.element.replaceChildren(...state.steps.map((_, index) => this.#item(state, index)));
    // The newest step is visible while somebody acts.
    if (state.phase === 'acting') this.element.scrollTop = this.element.scrollHeight;
  }

  #item(state: RecordingState, index: number): HTMLElement {
    const step = state.steps[index];
    const text = capitalize(step?.says ?? '');
    if (step?.by === 'agent') return this.#agentItem(text, index, state.pilot !== undefined);
    if (!canDrop(state, index)) return make('li', { text });
    const keeps = checkbox(text, isKept => {
      if (isKept) this.#dropped.delete(index);
      else this.#dropped.add(index);
      this.#drafts.drop(this.#recording, this.dropped);
    });
    keeps.setChecked(!this.#dropped.has(index));
    keeps.element.title = 'Clear it to leave out this step';
    return make('li', {}, keeps.element);
  }

  #agentItem(text: string, index: number, hasDecision: boolean): HTMLElement {
    const by = make('span', { class: 'record-by', text: 'Agent' });
    if (!hasDecision) return make('li', {}, by, new Text(` ${text}`));
    const select = make('button', { class: 'quiet', text, title: 'Show how the agent chose it' });
    select.type = 'button';
    select.addEventListener('click', () => this.#select(index));
    return make('li', {}, by, select);
  }
}
