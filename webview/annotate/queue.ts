// The queue beside the open trajectory: its entries, the decisions so far, and the progress.

import type { QueueEntry } from '../../runtime/protocol/daemon/annotation.ts';
import { make } from '../shared/dom.ts';
import { formatCount, formatPercent, PROVENANCE_LABELS, plural } from '../shared/labels.ts';
import type { AnnotateState } from './state.ts';

export class QueueList {
  readonly element: HTMLElement;
  readonly #go: (at: number) => void;
  readonly #progressText = make('p', { class: 'faint' });
  readonly #progress = make('progress');
  readonly #list = make('ol', { class: 'queue' });
  #items: readonly HTMLButtonElement[] = [];
  #entries: AnnotateState['queue'];

  constructor(go: (at: number) => void) {
    this.#go = go;
    this.#progress.setAttribute('aria-label', 'Decided');
    this.element = make(
      'aside',
      { class: 'queue-side' },
      make('div', { class: 'list-head' }, this.#progressText),
      this.#progress,
      this.#list,
    );
    this.element.setAttribute('aria-label', 'Queue');
  }

  show({ queue, total, at, decided }: AnnotateState): void {
    if (queue === undefined) return;
    if (
      queue.length !== this.#entries?.length ||
      queue.some((each, index) => each !== this.#entries?.[index])
    ) {
      this.#items = queue.map((each, index) => this.#item(each, index));
      this.#list.replaceChildren(...this.#items.map(item => make('li', {}, item)));
    }
    this.#entries = queue;
    for (const [index, { row }] of queue.entries()) {
      const item = this.#items[index];
      if (item === undefined) continue;
      const decision = decided.get(row.trajectory);
      item.dataset['decided'] = decision === undefined ? '' : decision ? 'accepted' : 'rejected';
      if (index === at) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
    this.#items[at]?.scrollIntoView({ block: 'nearest' });
    this.#progressText.textContent = `${formatCount(decided.size)} of ${formatCount(Math.max(total, queue.length))} decided`;
    Object.assign(this.#progress, { max: Math.max(1, total), value: decided.size });
  }

  #item({ row, members, rate }: QueueEntry, index: number): HTMLButtonElement {
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
    );
    item.type = 'button';
    item.addEventListener('click', () => this.#go(index));
    return item;
  }
}
