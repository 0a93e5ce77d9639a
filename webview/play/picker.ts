// The list of tasks, with filters by split and tier.

import type { PlaySplit, TaskEntry } from '../../runtime/protocol/play.ts';
import { TIER_NAMES } from '../../runtime/protocol/tiers.ts';
import { findElement, make } from '../shared/dom.ts';
import { appsLabel, taskTitle } from './labels.ts';

const list = findElement('list', HTMLDivElement);
const count = findElement('count', HTMLSpanElement);
const splits = findElement('splits', HTMLFieldSetElement);
const tiers = findElement('tiers', HTMLFieldSetElement);

const isSplit = (value: string): value is PlaySplit => ['train', 'test', 'unseen'].includes(value);

export class Picker {
  readonly #pick: (task: TaskEntry, split: PlaySplit) => void;
  readonly #solved = new Set<string>();
  #tasks: readonly TaskEntry[] = [];
  #current: string | undefined;

  constructor(pick: (task: TaskEntry, split: PlaySplit) => void) {
    this.#pick = pick;
    for (const choices of [splits, tiers]) choices.addEventListener('change', () => this.#render());
  }

  get split(): PlaySplit {
    const value = chosen(splits);
    return isSplit(value) ? value : 'train';
  }

  /** The first visible task. */
  get first(): TaskEntry | undefined {
    return this.#visibleTasks[0];
  }

  show(tasks: readonly TaskEntry[]): void {
    this.#tasks = tasks;
    this.#render();
  }

  mark(current: string | undefined): void {
    this.#current = current;
    for (const button of list.querySelectorAll('button')) {
      if (button.dataset['task'] === current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  solved(task: string): void {
    this.#solved.add(task);
    this.#render();
  }

  get #visibleTasks(): readonly TaskEntry[] {
    const tier = chosen(tiers);
    return this.#tasks.filter(
      task => task.splits.includes(this.split) && (tier === '' || String(task.tier) === tier),
    );
  }

  #render(): void {
    const tasks = this.#visibleTasks;
    const solved = tasks.filter(({ id }) => this.#solved.has(id)).length;
    count.textContent = `${tasks.length}${solved > 0 ? `, ${solved} solved` : ''}`;
    const groups = [...new Set(tasks.map(({ tier }) => tier))].map(tier => {
      const items = tasks.filter(task => task.tier === tier).map(task => this.#item(task));
      const title = make(
        'h3',
        { class: 'tier-title', text: `Tier ${tier}` },
        make('span', { text: ` ${TIER_NAMES[tier] ?? ''}` }),
      );
      return make('section', {}, title, make('ul', {}, ...items));
    });
    const nothing = make('p', { class: 'faint nothing', text: 'No tasks in this tier and split.' });
    list.replaceChildren(...(groups.length > 0 ? groups : [nothing]));
    this.mark(this.#current);
  }

  #item(task: TaskEntry): HTMLLIElement {
    const done = this.#solved.has(task.id);
    const title = make('span', { class: 'title', text: taskTitle(task.id, task.apps) });
    const app = make('span', { class: 'app', text: done ? '✓ solved' : appsLabel(task.apps) });
    const example = make('span', { class: 'example', text: task.example });
    const button = make(
      'button',
      { title: task.example, ...(done && { class: 'done' }) },
      title,
      app,
      example,
    );
    button.type = 'button';
    button.dataset['task'] = task.id;
    button.addEventListener('click', () => this.#pick(task, this.split));
    return make('li', {}, button);
  }
}

function chosen(choices: HTMLFieldSetElement): string {
  for (const input of choices.querySelectorAll('input')) if (input.checked) return input.value;
  return '';
}
