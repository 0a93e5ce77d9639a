// The queue beside the open trajectory: its entries, the decisions so far, and the progress.

import type { QueueEntry } from '../../runtime/protocol/daemon/annotation.ts';
import { select } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { formatCount, formatPercent, PROVENANCE_LABELS, plural } from '../shared/labels.ts';
import { isQueueMode, QUEUE_MODES, type QueueMode, REASON_LABELS, votesLabel } from './review.ts';
import type { AnnotateState } from './state.ts';
import { hasVoted, suggestionLabel } from './suggestions.ts';

interface Options {
  go(at: number): void;
  setMode(mode: QueueMode): void;
  /** Signs votes. */
  who(): string;
  /** Pre-sorts the queue. */
  readonly presort: HTMLElement;
}

export class QueueList {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #mode;
  readonly #agreement = make('p', { class: 'faint agreement' });
  readonly #progressText = make('p', { class: 'faint' });
  readonly #head = make('div', { class: 'list-head' }, this.#progressText);
  readonly #progress = make('progress');
  readonly #list = make('ol', { class: 'queue' });
  #items: readonly HTMLButtonElement[] = [];
  #entries: AnnotateState['queue'];

  constructor(options: Options) {
    this.#options = options;
    this.#mode = select('Queue', mode => {
      if (isQueueMode(mode)) options.setMode(mode);
    });
    this.#progress.setAttribute('aria-label', 'Decided');
    this.element = make(
      'aside',
      { class: 'queue-side' },
      this.#head,
      this.#progress,
      this.#agreement,
      options.presort,
      this.#list,
    );
    this.element.setAttribute('aria-label', 'Queue');
  }

  /** Selects the queue. An empty queue shows it elsewhere, and `show` takes it back. */
  get modeElement(): HTMLElement {
    return this.#mode.element;
  }

  setMode(mode: QueueMode): void {
    this.#mode.setOptions(
      Object.entries(QUEUE_MODES).map(([value, { text }]) => ({ value, text })),
      mode,
    );
  }

  /** Empty without a common vote. */
  setAgreement(text: string): void {
    this.#agreement.textContent = text;
    this.#agreement.hidden = text === '';
  }

  show({ queue, total, at, decided }: AnnotateState): void {
    if (queue === undefined) return;
    if (this.#mode.element.parentElement !== this.#head) this.#head.prepend(this.#mode.element);
    if (
      queue.length !== this.#entries?.length ||
      queue.some((each, index) => each !== this.#entries?.[index])
    ) {
      this.#items = queue.map((each, index) => this.#item(each, index));
      this.#list.replaceChildren(...this.#items.map(item => make('li', {}, item)));
    }
    this.#entries = queue;
    for (const [index, { row, suggestion }] of queue.entries()) {
      const item = this.#items[index];
      if (item === undefined) continue;
      const decision = decided.get(row.trajectory);
      item.dataset['decided'] = decision === undefined ? '' : decision ? 'accepted' : 'rejected';
      const votes = item.querySelector('.votes');
      const who = this.#options.who();
      if (votes !== null) votes.textContent = votesLabel(row.marked, who);
      const suggested = item.querySelector('.suggested');
      if (suggested !== null)
        suggested.textContent =
          suggestion !== undefined && hasVoted(row.marked, who) ? suggestionLabel(suggestion) : '';
      if (index === at) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
    this.#items[at]?.scrollIntoView({ block: 'nearest' });
    this.#progressText.textContent = `${formatCount(decided.size)} of ${formatCount(Math.max(total, queue.length))} decided`;
    Object.assign(this.#progress, { max: Math.max(1, total), value: decided.size });
  }

  #item({ row, members, rate, reasons }: QueueEntry, index: number): HTMLButtonElement {
    const { task, steps, provenance, instruction, marked } = row;
    const successRate = rate === undefined ? 'no rollouts' : `solved ${formatPercent(rate)}`;
    const item = make(
      'button',
      {
        class: 'waiting-one',
        title: `${task}: ${plural(members, 'member')} in the success pool; rollouts: ${successRate}`,
      },
      make('span', { class: 'instruction', text: marked.instruction ?? instruction }),
      make('span', {
        class: 'faint line',
        text: `${task} · ${formatCount(members)} in the pool · ${plural(steps, 'step')} · ${PROVENANCE_LABELS[provenance]}`,
      }),
      ...(reasons.length === 0
        ? []
        : [
            make('span', {
              class: 'line reasons',
              text: reasons.map(each => REASON_LABELS[each]).join(' · '),
            }),
          ]),
      make('span', { class: 'line votes' }),
      make('span', { class: 'line suggested' }),
    );
    item.type = 'button';
    item.addEventListener('click', () => this.#options.go(index));
    return item;
  }
}
