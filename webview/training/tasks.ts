// Every task with its success, tier by tier, the hardest first.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { TIER_NAMES } from '../../runtime/protocol/tiers.ts';
import { make, need } from '../shared/dom.ts';
import { percent, plural } from '../shared/words.ts';
import { Bar } from './figures.ts';
import { worstFirst } from './order.ts';

type Task = RunState['tasks'][number];

const tiers = need('tiers', HTMLDivElement);
const none = need('no-tasks', HTMLParagraphElement);

interface Row {
  readonly bar: Bar;
  readonly item: HTMLElement;
}

class Tier {
  readonly element: HTMLElement;
  readonly #mean = make('span', { class: 'mean' });
  readonly #list = make('ul');
  readonly #rows = new Map<string, Row>();

  constructor(tier: number) {
    const summary = make(
      'summary',
      {},
      make('h3', { text: `Tier ${tier} ` }, make('span', { class: 'faint', text: TIER_NAMES[tier] ?? '' })),
      this.#mean,
    );
    const details = make('details', { class: 'tier' }, summary, this.#list);
    details.open = true;
    this.element = details;
  }

  show(tasks: readonly Task[]): void {
    const rated = tasks.flatMap(({ rate }) => rate ?? []);
    const mean = rated.reduce((sum, rate) => sum + rate, 0) / rated.length;
    this.#mean.textContent = rated.length === 0 ? 'not tried yet' : percent(mean);
    const items = worstFirst(tasks).map(task => {
      const { bar, item } = this.#row(task.task);
      bar.show(task.rate);
      const rollouts = task.rollouts === undefined ? '' : `: ${plural(task.rollouts, 'rollout')} so far`;
      item.title = task.task + rollouts;
      return item;
    });
    // Only where the order changed: what is selected or hovered stays so.
    if (items.some((item, index) => this.#list.children[index] !== item))
      this.#list.replaceChildren(...items);
  }

  #row(task: string): Row {
    const known = this.#rows.get(task);
    if (known !== undefined) return known;
    const bar = new Bar(task, '');
    const row = { bar, item: make('li', {}, bar.element) };
    this.#rows.set(task, row);
    return row;
  }
}

const shown = new Map<number, Tier>();

export function showTasks({ tasks }: Pick<RunState, 'tasks'>): void {
  none.hidden = tasks.length > 0;
  const numbers = [...new Set(tasks.map(({ tier }) => tier))].sort();
  for (const number of numbers) {
    if (!shown.has(number)) shown.set(number, new Tier(number));
    shown.get(number)?.show(tasks.filter(({ tier }) => tier === number));
  }
  const elements = numbers.flatMap(number => shown.get(number)?.element ?? []);
  if (elements.length !== tiers.childElementCount || elements.some((each, at) => tiers.children[at] !== each))
    tiers.replaceChildren(...elements);
}
