// The success rate of each task, by tier, lowest rate first.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { TIER_NAMES } from '../../runtime/protocol/tiers.ts';
import { arrangeChildren, findElement, make } from '../shared/dom.ts';
import { formatPercent, plural } from '../shared/labels.ts';
import { ShareBar } from './module-card.ts';
import { worstFirst } from './order.ts';

type Task = RunState['tasks'][number];

const tiers = findElement('tiers', HTMLDivElement);
const none = findElement('no-tasks', HTMLParagraphElement);

interface TaskItem {
  readonly bar: ShareBar;
  readonly item: HTMLElement;
}

class Tier {
  readonly element: HTMLElement;
  readonly #mean = make('span', { class: 'mean' });
  readonly #list = make('ul');
  readonly #items = new Map<string, TaskItem>();

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
    this.#mean.textContent = rated.length === 0 ? 'no attempts yet' : formatPercent(mean);
    const items = worstFirst(tasks).map(task => {
      const { bar, item } = this.#itemOf(task.task);
      bar.show(task.rate);
      const rollouts = `: ${plural(task.rollouts, 'rollout')}`;
      item.title = task.task + rollouts;
      return item;
    });
    arrangeChildren(this.#list, items);
  }

  #itemOf(task: string): TaskItem {
    const existing = this.#items.get(task);
    if (existing !== undefined) return existing;
    const bar = new ShareBar(task, '');
    const row = { bar, item: make('li', {}, bar.element) };
    this.#items.set(task, row);
    return row;
  }
}

const tierElements = new Map<number, Tier>();

export function showTasks({ tasks }: Pick<RunState, 'tasks'>): void {
  none.hidden = tasks.length > 0;
  const numbers = [...new Set(tasks.map(({ tier }) => tier))].sort();
  for (const number of numbers) {
    if (!tierElements.has(number)) tierElements.set(number, new Tier(number));
    tierElements.get(number)?.show(tasks.filter(({ tier }) => tier === number));
  }
  arrangeChildren(
    tiers,
    numbers.flatMap(number => tierElements.get(number)?.element ?? []),
  );
}
