// Replaces the queue when no entry is left to decide: why, and what to do next. Another queue or another person may have entries.

import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { formatCount } from '../shared/labels.ts';
import { QUEUE_MODES, type QueueMode } from './review.ts';
import { type AnnotateState, notFetched } from './state.ts';

interface Options {
  refresh(): void;
  undo(): void;
}

export class EmptyQueue {
  readonly element: HTMLElement;
  readonly #title = make('h2');
  readonly #text = make('p');
  readonly #actions: HTMLElement;
  readonly #undo;

  constructor({ refresh, undo }: Options) {
    this.#undo = button({ text: 'Undo (u)' }, undo);
    const again = button({ text: 'Refresh', kind: 'primary' }, refresh);
    this.#actions = make('div', { class: 'decide' }, again.element, this.#undo.element);
    this.element = make('div', { class: 'nothing' }, this.#title, this.#text, this.#actions);
  }

  /** Takes the selection of the queue and the name field, which the queue shows otherwise. */
  show(state: AnnotateState, mode: QueueMode, modeElement: HTMLElement, signature: HTMLElement): void {
    const [title, text] = emptyQueueText(state, mode);
    this.#title.textContent = title;
    this.#text.textContent = text;
    this.#undo.element.hidden = state.undos.length === 0;
    // A control that moves loses the focus.
    if (modeElement.parentElement !== this.#actions) this.#actions.prepend(modeElement);
    if (signature.parentElement !== this.element) this.element.append(signature);
  }
}

function emptyQueueText(state: AnnotateState, mode: QueueMode): [title: string, text: string] {
  const { queue = [] } = state;
  if (queue.length === 0 && QUEUE_MODES[mode].isSecond)
    return [
      'No second opinions are needed',
      'Trajectories that others have accepted or rejected, and you have not, appear here. Sign with your own name.',
    ];
  if (queue.length === 0)
    return [
      'The queue is empty',
      'Successes of training and of `dartboard collect` appear here until you accept or reject them.',
    ];
  const more = notFetched(state);
  const accepted = 'Accepted trajectories are in the success pool.';
  return more === 0
    ? ['Queue finished', `You have decided every trajectory. ${accepted}`]
    : [`${formatCount(queue.length)} decided`, `${formatCount(more)} more are in the queue. ${accepted}`];
}
