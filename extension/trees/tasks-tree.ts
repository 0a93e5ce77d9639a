// The tasks by suite and tier with how their rollouts fare, and the members of the success pool by task. Pure.

import type { PoolMember, TaskRow } from '../../runtime/protocol/daemon/annotation.ts';
import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { percent, type Translate } from '../words.ts';
import type { Node } from './runs-tree.ts';

type Tried = Pick<TaskRow, 'successes' | 'trials'>;

export function taskNodes(tasks: readonly TaskRow[], t: Translate): readonly Node[] {
  const suites = grouped(tasks, ({ suite }) => suite);
  const tiersOf = (suite: string, rows: readonly TaskRow[]): readonly Node[] =>
    [...grouped(rows, ({ tier }) => tier)]
      .sort(([a], [b]) => a - b)
      .map(([tier, each]) => ({
        id: `${suite}/${tier}`,
        label: tierTitle(tier),
        ...faring(summed(each), t),
        icon: 'folder',
        context: 'tier',
        children: each.map(row => taskNode(row, t)),
      }));
  const [only] = suites;
  // A level that has one member tells nothing.
  if (suites.size === 1 && only !== undefined) return tiersOf(...only);
  return [...suites].map(([suite, rows]) => ({
    id: suite,
    label: suite,
    ...faring(summed(rows), t),
    icon: 'library',
    context: 'suite',
    children: tiersOf(suite, rows),
  }));
}

function taskNode(row: TaskRow, t: Translate): Node {
  const { task, suite, example, apps, members, broken, isUnseen } = row;
  const { description, tooltip } = faring(row, t);
  const arrow = ARROWS[trendOf(row.trend)];
  return {
    id: `${suite}/task/${task}`,
    label: task,
    description: [description, arrow, isUnseen ? t('never trained') : '']
      .filter(each => each !== '')
      .join(' '),
    tooltip: [
      t('“{0}”', example),
      ...tooltip,
      t('Applications: {0}', apps.join(', ')),
      t('In the success pool: {0}', members),
      ...(broken === 0 ? [] : [t('Broken by the infrastructure, and not counted: {0}', broken)]),
    ],
    ...iconOf(row),
    context: 'task',
  };
}

const ARROWS = { up: '↗', down: '↘', level: '', unknown: '' } as const;

/** By how much success must differ between the halves of the time to be called a trend. */
const CHANGE = 0.1;

/** Whether the later half of the time went better than the earlier. */
export function trendOf(trend: readonly Tried[]): keyof typeof ARROWS {
  if (trend.length < 2) return 'unknown';
  const middle = Math.floor(trend.length / 2);
  const [before, after] = [rate(summed(trend.slice(0, middle))), rate(summed(trend.slice(middle)))];
  if (before === undefined || after === undefined) return 'unknown';
  if (after - before > CHANGE) return 'up';
  return before - after > CHANGE ? 'down' : 'level';
}

const rate = ({ successes, trials }: Tried): number | undefined =>
  trials === 0 ? undefined : successes / trials;

const summed = (all: readonly Tried[]): Tried => ({
  successes: all.reduce((sum, { successes }) => sum + successes, 0),
  trials: all.reduce((sum, { trials }) => sum + trials, 0),
});

function faring(tried: Tried, t: Translate): Pick<Node, 'description' | 'tooltip'> {
  const share = rate(tried);
  if (share === undefined) return { description: '', tooltip: [t('Not tried yet.')] };
  const { successes, trials } = tried;
  return { description: percent(share), tooltip: [t('{0} of {1} rollouts succeeded', successes, trials)] };
}

function iconOf(tried: Tried): Pick<Node, 'icon' | 'colour'> {
  const share = rate(tried);
  if (share === undefined) return { icon: 'circle-outline' };
  if (share >= 0.8) return { icon: 'circle-filled', colour: 'charts.green' };
  return { icon: 'circle-filled', colour: share >= 0.3 ? 'charts.yellow' : 'charts.red' };
}

export const poolNodes = (members: readonly PoolMember[], t: Translate): readonly Node[] =>
  [...grouped(members, ({ row }) => row.task)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([task, each]) => ({
      id: `pool/${task}`,
      label: task,
      description: String(each.length),
      tooltip: [
        each.length === 1
          ? t('One success that is kept to learn from')
          : t('{0} successes that are kept to learn from', each.length),
      ],
      icon: 'folder',
      context: 'pool-task',
      children: each.map(({ row, accepted: { who, at } }) => ({
        id: `pool/${task}/${row.trajectory}`,
        label: row.marked.instruction ?? row.instruction,
        description: row.steps === 1 ? t('1 step, by {0}', who) : t('{0} steps, by {1}', row.steps, who),
        tooltip: [row.trajectory, t('Accepted by {0}, {1}', who, new Date(at).toLocaleString())],
        icon: 'pass-filled',
        context: 'member',
        trajectory: row.trajectory,
      })),
    }));

function grouped<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
