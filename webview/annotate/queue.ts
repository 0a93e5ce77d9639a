// The queue beside what is annotated: who waits, what was decided, and how far one has come.

import type { QueueEntry } from '../../runtime/protocol/daemon/annotation.ts';
import { make } from '../shared/dom.ts';
import { counted, PROVENANCE_WORDS, percent, plural } from '../shared/words.ts';
import type { Annotating } from './state.ts';

export class QueueList {
  readonly element: HTMLElement;
  readonly #go: (at: number) => void;
  readonly #says = make('p', { class: 'faint' });
  readonly #progress = make('progress');
  readonly #list = make('ol', { class: 'queue' });
  #items: readonly HTMLButtonElement[] = [];
  #shown: Annotating['queue'];

  constructor(go: (at: number) => void) {
    this.#go = go;
    this.#progress.setAttribute('aria-label', 'Decided');
    this.element = make(
      'aside',
      { class: 'queue-side' },
      make('div', { class: 'list-head' }, this.#says),
      this.#progress,
      this.#list,
    );
    this.element.setAttribute('aria-label', 'Queue');
  }

  show({ queue, total, at, decided }: Annotating): void {
    if (queue === undefined) return;
    if (queue.length !== this.#shown?.length || queue.some((each, index) => each !== this.#shown?.[index])) {
      this.#items = queue.map((each, index) => this.#item(each, index));
      this.#list.replaceChildren(...this.#items.map(item => make('li', {}, item)));
    }
    this.#shown = queue;
    for (const [index, item] of this.#items.entries()) {
      const verdict = decided.get(queue[index]?.row.trajectory ?? '');
      item.dataset['decided'] = verdict === undefined ? '' : verdict ? 'accepted' : 'rejected';
      if (index === at) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
    this.#items[at]?.scrollIntoView({ block: 'nearest' });
    this.#says.textContent = `${counted(decided.size)} of ${counted(Math.max(total, queue.length))} decided`;
    Object.assign(this.#progress, { max: Math.max(1, total), value: decided.size });
  }

  #item({ row, members, rate }: QueueEntry, index: number): HTMLButtonElement {
    const { task, steps, provenance, instruction, marked } = row;
    const fares = rate === undefined ? 'never tried' : `solved ${percent(rate)}`;
    const item = make(
      'button',
      {
        class: 'waiting-one',
        title: `${plural(members, 'member')} of ${task} in the pool; its rollouts: ${fares}`,
      },
      make('span', { class: 'instruction', text: marked.instruction ?? instruction }),
      make('span', {
        class: 'faint line',
        text: `${task} · ${counted(members)} in the pool · ${plural(steps, 'step')} · ${PROVENANCE_WORDS[provenance]}`,
      }),
    );
    item.type = 'button';
    item.addEventListener('click', () => this.#go(index));
    return item;
  }
}
