// One row per task: how many instances each agent solves. An opened row lists its instances; each opens both trajectories.

import type { ComparedTask } from '../../../runtime/protocol/daemon/agents.ts';
import { make, signWithText } from '../../shared/dom.ts';
import { OUTCOME_LABELS, OUTCOME_SIGNS, plural } from '../../shared/labels.ts';
import {
  type AgentPair,
  type InstancePair,
  mostDifferentFirst,
  partsOf,
  signedPoints,
  taskDifference,
} from './state.ts';

interface TaskListOptions {
  readonly agents: AgentPair;
  /** Fetches the instances of a task. */
  instances(task: string): Promise<readonly InstancePair[]>;
  watch(instance: InstancePair): void;
  showError(error: unknown): void;
}

export function taskList(tasks: readonly ComparedTask[], options: TaskListOptions): HTMLElement {
  const list = make('ul', { class: 'compared-tasks' });
  for (const task of mostDifferentFirst(tasks)) list.append(make('li', {}, taskRow(task, options)));
  return list;
}

/** The legend of the bars. */
export function partsLegend(agents: AgentPair): HTMLElement {
  const list = make('ul', { class: 'parts-legend' });
  for (const { part, label } of partsOf(
    { task: '', tallies: [NO_TRIALS, NO_TRIALS], ...NO_INSTANCES },
    agents,
  )) {
    const swatch = make('span', { class: 'part' });
    swatch.dataset['part'] = part;
    swatch.setAttribute('aria-hidden', 'true');
    list.append(make('li', {}, swatch, make('span', { text: label })));
  }
  return list;
}

const NO_TRIALS = { successes: 0, trials: 0 };
const NO_INSTANCES = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };

function taskRow(task: ComparedTask, options: TaskListOptions): HTMLElement {
  const parts = partsOf(task, options.agents).filter(({ count }) => count > 0);
  const bar = make('span', { class: 'parts' });
  for (const { part, count, label } of parts) {
    const piece = make(
      'span',
      { class: 'part', title: `${count}: ${label}` },
      ...signWithText(`${count}`, ''),
    );
    piece.dataset['part'] = part;
    piece.style.flexGrow = String(count);
    bar.append(piece);
  }
  const spoken = parts.map(({ count, label }) => `${count} ${label}`).join(', ');
  const difference = taskDifference(task);
  const summary = make(
    'summary',
    {},
    make('span', { class: 'name', text: task.task }),
    bar,
    make('span', { class: 'hidden', text: `: ${spoken}; difference in points: ` }),
    make('span', {
      class: 'shift',
      text: signedPoints(difference),
      title: 'Difference of success in points',
    }),
  );
  const row = make('details', { class: 'compared-task' }, summary);
  row.addEventListener('toggle', () => {
    if (row.open && row.childElementCount === 1) fillInstances(row, task, options);
  });
  return row;
}

function fillInstances(row: HTMLElement, compared: ComparedTask, options: TaskListOptions): void {
  const body = make('div', { class: 'instances' }, make('p', { class: 'faint', text: 'Loading…' }));
  row.append(body);
  options.instances(compared.task).then(
    found => body.replaceChildren(instanceList(found, options), ...missingNote(found, compared)),
    (error: unknown) => {
      // The next opening fetches again.
      body.remove();
      options.showError(error);
    },
  );
}

/** Old trajectories are deleted, but their results count. */
function missingNote(found: readonly InstancePair[], task: ComparedTask): readonly HTMLElement[] {
  const played = task.both + task.onlyFirst + task.onlySecond + task.neither;
  const text = `${found.length} of ${plural(played, 'instance')}: the others can no longer be shown, because their trajectories were deleted.`;
  return found.length < played ? [make('p', { class: 'faint', text })] : [];
}

function instanceList(found: readonly InstancePair[], { agents, watch }: TaskListOptions): HTMLElement {
  const list = make('ul');
  for (const instance of found) {
    const made = make('button', { class: 'quiet', title: 'Open both trajectories side by side' });
    made.append(
      make('span', { class: 'faint', text: `seed ${instance.seed}` }),
      ...instance.rows.map((row, side) => {
        const { outcome, steps } = row;
        const label = `, ${agents[side]}: ${OUTCOME_LABELS[outcome]} in ${plural(steps, 'step')}`;
        return make('span', { class: `sign ${outcome}` }, ...signWithText(OUTCOME_SIGNS[outcome], label));
      }),
    );
    made.type = 'button';
    made.addEventListener('click', () => watch(instance));
    list.append(make('li', {}, made));
  }
  return list;
}
