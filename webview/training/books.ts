// What became of every trajectory: five parts of a whole, as one bar and as a sum that can be checked.

import { isOver, type RunState, type TrajectoryCounts } from '../../runtime/protocol/daemon/state.ts';
import { make, need } from '../shared/dom.ts';
import { counted } from '../shared/words.ts';

type Part = Exclude<keyof TrajectoryCounts, 'submitted'>;

interface Words {
  readonly name: string;
  readonly means: string;
}

const WORDS: Readonly<Record<Part, Words>> = {
  accepted: { name: 'accepted', means: 'Worth training on' },
  filtered: { name: 'filtered', means: 'Of a group that was all alike: nothing to learn' },
  dropped: { name: 'dropped', means: 'Too old when its turn came' },
  failed: { name: 'failed', means: 'A desktop or a worker broke: says nothing about the policy' },
  running: { name: 'running', means: 'Under way' },
};
const WORDS_WHEN_OVER = { ...WORDS, running: { name: 'unfinished', means: 'Under way when it ended' } };

const stack = need('stack', HTMLDivElement);
const sum = need('books', HTMLUListElement);
const unbalanced = need('unbalanced', HTMLParagraphElement);

const isPart = (name: string): name is Part => name in WORDS;

const shown = Object.keys(WORDS).flatMap(part => {
  if (!isPart(part)) return [];
  const segment = make('span', { class: part });
  const number = make('strong');
  const [name, means] = [make('span'), make('span', { class: 'faint means' })];
  const item = make('li', { class: part }, number, name, means);
  return [{ part, segment, number, name, means, item }];
});
const whole = make('strong');
stack.append(...shown.map(({ segment }) => segment));
sum.append(
  make(
    'li',
    { class: 'submitted' },
    whole,
    make('span', { text: ' submitted' }),
    make('span', { class: 'faint equals', text: ' =' }),
  ),
  ...shown.map(({ item }) => item),
);

export function showBooks({ status, data: { books } }: Pick<RunState, 'status' | 'data'>): void {
  whole.textContent = counted(books.submitted);
  const words = isOver({ status }) ? WORDS_WHEN_OVER : WORDS;
  for (const { part, segment, number, name, means, item } of shown) {
    name.textContent = ` ${words[part].name}`;
    means.textContent = words[part].means;
    item.title = words[part].means;
    number.textContent = counted(books[part]);
    segment.style.flexGrow = String(books[part]);
    segment.hidden = books[part] === 0;
  }
  const together = shown.reduce((all, { part }) => all + books[part], 0);
  unbalanced.hidden = together === books.submitted;
  unbalanced.textContent = `These add up to ${counted(together)}: trajectories are missing or counted twice, which is a mistake of Dartboard's.`;
}
