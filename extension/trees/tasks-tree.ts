// The tasks by suite and tier with their success rates, and the members of the success pool by task, as plain
// tree nodes. Pure.

import type { PoolMember, PoolMembers, TaskRow } from '../../runtime/protocol/daemon/annotation.ts';
import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { percent } from '../format.ts';
import type { ViewNode } from './runs-tree.ts';

type Trials = Pick<TaskRow, 'successes' | 'trials'>;

export function taskNodes(tasks: readonly TaskRow[]): readonly ViewNode[] {
  const suites = groupBy(tasks, ({ suite }) => suite);
  const tiersOf = (suite: string, rows: readonly TaskRow[]): readonly ViewNode[] =>
    [...groupBy(rows, ({ tier }) => tier)]
      .sort(([a], [b]) => a - b)
      .map(([tier, tasksOfTier]) => ({
        id: `${suite}/${tier}`,
        label: tierTitle(tier),
        ...successOf(total(tasksOfTier)),
        icon: 'folder',
        context: 'tier',
        children: tasksOfTier.map(taskNode),
      }));
  const [only] = suites;
  // A single suite needs no level of its own.
  if (suites.size === 1 && only !== undefined) return tiersOf(...only);
  return [...suites].map(([suite, rows]) => ({
    id: suite,
    label: suite,
    ...successOf(total(rows)),
    icon: 'library',
    context: 'suite',
    children: tiersOf(suite, rows),
  }));
}

function taskNode(row: TaskRow): ViewNode {
  const { task, suite, example, apps, members, broken, isUnseen } = row;
  const { description, tooltip } = successOf(row);
  const arrow = ARROWS[trendOf(row.trend)];
  return {
    id: `${suite}/task/${task}`,
    label: task,
    description: [description, arrow, isUnseen ? 'never trained' : ''].filter(text => text !== '').join(' '),
    tooltip: [
      `“${example}”`,
      ...tooltip,
      `Applications: ${apps.join(', ')}`,
      `In the success pool: ${members}`,
      ...(broken === 0 ? [] : [`Rollouts with infrastructure errors, not counted: ${broken}`]),
    ],
    ...iconOf(row),
    context: 'task',
  };
}

const ARROWS = { up: '↗', down: '↘', level: '', unknown: '' } as const;

/** The least difference of success rates that counts as a trend. */
const MIN_TREND = 0.1;

/** Compares the success rate of the later half of the time with the earlier half. */
export function trendOf(trend: readonly Trials[]): keyof typeof ARROWS {
  if (trend.length < 2) return 'unknown';
  const middle = Math.floor(trend.length / 2);
  const [before, after] = [rateOf(total(trend.slice(0, middle))), rateOf(total(trend.slice(middle)))];
  if (before === undefined || after === undefined) return 'unknown';
  if (after - before > MIN_TREND) return 'up';
  return before - after > MIN_TREND ? 'down' : 'level';
}

const rateOf = ({ successes, trials }: Trials): number | undefined =>
  trials === 0 ? undefined : successes / trials;

const total = (parts: readonly Trials[]): Trials => ({
  successes: parts.reduce((sum, { successes }) => sum + successes, 0),
  trials: parts.reduce((sum, { trials }) => sum + trials, 0),
});

function successOf(trials: Trials): Pick<ViewNode, 'description' | 'tooltip'> {
  const rate = rateOf(trials);
  if (rate === undefined) return { description: '', tooltip: ['No rollouts yet.'] };
  return {
    description: percent(rate),
    tooltip: [`${trials.successes} of ${trials.trials} rollouts succeeded`],
  };
}

function iconOf(trials: Trials): Pick<ViewNode, 'icon' | 'color'> {
  const rate = rateOf(trials);
  if (rate === undefined) return { icon: 'circle-outline' };
  if (rate >= 0.8) return { icon: 'circle-filled', color: 'charts.green' };
  return { icon: 'circle-filled', color: rate >= 0.3 ? 'charts.yellow' : 'charts.red' };
}

/** `tasks` counts the members of each task, if `members` lacks some. */
export const poolNodes = (
  members: readonly PoolMember[],
  tasks: readonly Pick<TaskRow, 'task' | 'members'>[],
): readonly ViewNode[] => {
  const counts = new Map(tasks.map(each => [each.task, each.members]));
  return [...groupBy(members, ({ row }) => row.task)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([task, membersOfTask]) => {
      const count = counts.get(task) ?? membersOfTask.length;
      return {
        id: `pool/${task}`,
        label: task,
        description: String(count),
        tooltip: [`${counted(count, 'success', 'successes')} in the pool`],
        icon: 'folder',
        context: 'pool-task',
        children: membersOfTask.map(memberNode),
      };
    });
};

/** Undefined if all members are listed. */
export const poolMessage = ({ total, members }: PoolMembers): string | undefined =>
  total > members.length
    ? `The newest ${members.length} of ${total}. The panel Trajectories lists all.`
    : undefined;

const memberNode = ({ row, accepted: { who, at } }: PoolMember): ViewNode => ({
  id: `pool/${row.task}/${row.trajectory}`,
  label: row.marked.instruction ?? row.instruction,
  description: `${counted(row.steps, 'step', 'steps')}, by ${who}`,
  tooltip: [row.trajectory, `Accepted by ${who}, ${new Date(at).toLocaleString()}`],
  icon: 'pass-filled',
  context: 'member',
  trajectory: row.trajectory,
});

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
