// The fate of every trajectory: one bar of five parts, and the sum as text.

import { isOver, type RunState, type TrajectoryCounts } from '../../runtime/protocol/daemon/state.ts';
import { findElement, make } from '../shared/dom.ts';
import { formatCount } from '../shared/labels.ts';

type Part = Exclude<keyof TrajectoryCounts, 'submitted'>;

interface PartLabels {
  readonly name: string;
  readonly description: string;
}

const LABELS: Readonly<Record<Part, PartLabels>> = {
  accepted: { name: 'accepted', description: 'Trains the policy' },
  filtered: { name: 'filtered', description: 'Without a gradient, or not selected' },
  dropped: { name: 'dropped', description: 'Too old when the trainer was ready' },
  failed: {
    name: 'failed',
    description: 'A desktop or a worker failed; not counted as a failure of the policy',
  },
  running: { name: 'running', description: 'In progress' },
};
const LABELS_WHEN_ENDED = {
  ...LABELS,
  running: { name: 'unfinished', description: 'In progress when the run ended' },
};

const stack = findElement('stack', HTMLDivElement);
const sum = findElement('books', HTMLUListElement);
const unbalanced = findElement('unbalanced', HTMLParagraphElement);

const isPart = (name: string): name is Part => name in LABELS;

const parts = Object.keys(LABELS).flatMap(part => {
  if (!isPart(part)) return [];
  const segment = make('span', { class: part });
  const number = make('strong');
  const [name, description] = [make('span'), make('span', { class: 'faint means' })];
  const item = make('li', { class: part }, number, name, description);
  return [{ part, segment, number, name, description, item }];
});
const whole = make('strong');
stack.append(...parts.map(({ segment }) => segment));
sum.append(
  make(
    'li',
    { class: 'submitted' },
    whole,
    make('span', { text: ' submitted' }),
    make('span', { class: 'faint equals', text: ' =' }),
  ),
  ...parts.map(({ item }) => item),
);

export function showTrajectoryCounts({ status, data: { books } }: Pick<RunState, 'status' | 'data'>): void {
  whole.textContent = formatCount(books.submitted);
  const labels = isOver({ status }) ? LABELS_WHEN_ENDED : LABELS;
  for (const { part, segment, number, name, description, item } of parts) {
    name.textContent = ` ${labels[part].name}`;
    description.textContent = labels[part].description;
    item.title = labels[part].description;
    number.textContent = formatCount(books[part]);
    segment.style.flexGrow = String(books[part]);
    segment.hidden = books[part] === 0;
  }
  const total = parts.reduce((all, { part }) => all + books[part], 0);
  unbalanced.hidden = total === books.submitted;
  unbalanced.textContent = `The parts add up to ${formatCount(total)}, not ${formatCount(books.submitted)}: Dartboard lost trajectories or counted some twice. Please report this.`;
}
