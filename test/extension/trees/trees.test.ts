import { expect, test } from 'vitest';
import { NO_RUNS, withSummaries } from '../../../extension/runs/run-list.ts';
import { runNodes } from '../../../extension/trees/runs-tree.ts';
import { poolMessage, poolNodes, taskNodes, trendOf } from '../../../extension/trees/tasks-tree.ts';
import type { PoolMember, TaskRow } from '../../../runtime/protocol/daemon/annotation.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const row = (
  task: string,
  tier: number,
  successes: number,
  trials: number,
  more: Partial<TaskRow> = {},
): TaskRow => ({
  ...{ task, tier, successes, trials, suite: 'pocket', isUnseen: false, apps: ['mail'] },
  ...{ example: 'Star the mail.', broken: 0, trend: [], members: 0 },
  ...more,
});

test('a run shows its success rate, its time, and what commands apply to it', async () => {
  const states = [playedState(600, { run: 'one' }), playedState(1200, { run: 'two', status: 'ended' })];
  const list = withSummaries(NO_RUNS, await new ScriptedRuns(...states).list());
  const [one, two] = runNodes(list, () => 'Nov 20, 12:00');
  expect(one).toMatchObject({
    id: 'one',
    label: 'Nov 20, 12:00',
    context: 'run running live compact',
    icon: 'sync~spin',
  });
  expect(one?.description).toMatch(/^\d+ % · 10:00\/20:00$/);
  expect(two).toMatchObject({ context: 'run ended resumable compact' });
  expect(two?.description).toMatch(/^\d+ % · 20:00\/20:00$/);
});

test('a tier shows the success rate of all its tasks', () => {
  const nodes = taskNodes([row('b', 2, 0, 10), row('a', 1, 9, 10), row('c', 1, 3, 10)]);
  expect(nodes.map(({ label, description }) => [label, description])).toEqual([
    ['Tier 1: single steps', '60 %'],
    ['Tier 2: several steps', '0 %'],
  ]);
  expect(nodes[0]?.children?.map(({ label, description }) => [label, description])).toEqual([
    ['a', '90 %'],
    ['c', '30 %'],
  ]);
});

test('several suites form a level of their own', () => {
  const nodes = taskNodes([row('a', 1, 1, 2), row('mine', 1, 1, 4, { suite: 'my-tasks' })]);
  expect(nodes.map(({ label, description }) => [label, description])).toEqual([
    ['pocket', '50 %'],
    ['my-tasks', '25 %'],
  ]);
  const ids = nodes.flatMap(node => [node, ...(node.children ?? [])]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a task without rollouts has no success rate, which differs from 0 %', () => {
  const [tier] = taskNodes([row('a', 1, 0, 0)]);
  expect(tier?.description).toBe('');
  expect(tier?.children?.[0]).toMatchObject({ description: '', icon: 'circle-outline' });
});

test.each([
  [
    'up',
    [
      [1, 10],
      [2, 10],
      [8, 10],
      [9, 10],
    ],
  ],
  [
    'down',
    [
      [9, 10],
      [2, 10],
    ],
  ],
  [
    'level',
    [
      [5, 10],
      [5, 10],
    ],
  ],
  ['unknown', [[5, 10]]],
  ['unknown', []],
] as const)('a trend is %s', (trend, parts) => {
  expect(trendOf(parts.map(([successes, trials]) => ({ successes, trials })))).toBe(trend);
});

const member = (task: string, trajectory: string, steps = 3): PoolMember => ({
  accepted: { who: 'Ada', at: 0 },
  row: {
    ...{ trajectory, task, seed: 1, instruction: 'Star it.', purpose: 'collect', provenance: 'rollout' },
    ...{ mode: 'a11y_tree', outcome: 'success', steps, startedAt: 0, endedAt: 1, bytes: 9 },
    marked: { keySteps: [], instruction: 'Star the newest mail.' },
  },
});

test('the success pool groups members by task and shows who accepted them', () => {
  const [a, b] = poolNodes([member('b', '1'), member('a', '2'), member('b', '3', 1)], []);
  expect([a?.label, a?.description, b?.label, b?.description]).toEqual(['a', '1', 'b', '2']);
  expect(a?.children?.[0]).toMatchObject({
    label: 'Star the newest mail.',
    description: '3 steps, by Ada',
    trajectory: '2',
  });
  expect(b?.children?.[1]?.description).toBe('1 step, by Ada');
});

test('a success pool with more members than are listed counts all of them, and says so', () => {
  const members = [member('b', '1'), member('a', '2')];
  const nodes = poolNodes(members, [row('a', 1, 0, 0, { members: 30 }), row('c', 1, 0, 0, { members: 7 })]);
  expect(nodes.map(({ label, description }) => [label, description])).toEqual([
    ['a', '30'],
    ['b', '1'],
  ]);
  expect(nodes[0]?.tooltip).toEqual(['30 successes in the pool']);
  expect(poolMessage({ total: 38, members })).toBe('The newest 2 of 38. The panel Trajectories lists all.');
  expect(poolMessage({ total: 2, members })).toBeUndefined();
});
