import { expect, test } from 'vitest';
import { NOTHING, withList } from '../../../extension/runs/known.ts';
import { runNodes } from '../../../extension/trees/runs-tree.ts';
import { poolNodes, taskNodes, trendOf } from '../../../extension/trees/tasks-tree.ts';
import type { PoolMember, TaskRow } from '../../../runtime/protocol/daemon/annotation.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';
import { t } from '../translate.ts';

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

test('a run says what it came to, and what can be done with it', async () => {
  const states = [playedState(600, { run: 'one' }), playedState(1200, { run: 'two', status: 'ended' })];
  const known = withList(NOTHING, await new ScriptedRuns(...states).list());
  const [one, two] = runNodes(known, t, () => 'Nov 20, 12:00');
  expect(one).toMatchObject({
    id: 'one',
    label: 'Nov 20, 12:00',
    context: 'run running live',
    icon: 'sync~spin',
  });
  expect(one?.description).toMatch(/^\d+ % · 10:00\/20:00$/);
  expect(two).toMatchObject({ context: 'run ended resumable' });
  expect(two?.description).toMatch(/^\d+ % · 20:00\/20:00$/);
});

test('tasks stand under their tiers, which say how all of them fare', () => {
  const nodes = taskNodes([row('b', 2, 0, 10), row('a', 1, 9, 10), row('c', 1, 3, 10)], t);
  expect(nodes.map(({ label, description }) => [label, description])).toEqual([
    ['Tier 1: single steps', '60 %'],
    ['Tier 2: several steps', '0 %'],
  ]);
  expect(nodes[0]?.children?.map(({ label, description }) => [label, description])).toEqual([
    ['a', '90 %'],
    ['c', '30 %'],
  ]);
});

test('several suites are a level of their own', () => {
  const nodes = taskNodes([row('a', 1, 1, 2), row('mine', 1, 1, 4, { suite: 'my-tasks' })], t);
  expect(nodes.map(({ label, description }) => [label, description])).toEqual([
    ['pocket', '50 %'],
    ['my-tasks', '25 %'],
  ]);
  const ids = nodes.flatMap(each => [each, ...(each.children ?? [])]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('what was never tried has no success, not none', () => {
  const [tier] = taskNodes([row('a', 1, 0, 0)], t);
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
  const tried = parts.map(([successes, trials]) => ({ successes, trials }));
  expect(trendOf(tried)).toBe(trend);
});

test('the pool stands under its tasks, with who accepted what', () => {
  const member = (task: string, trajectory: string): PoolMember => ({
    accepted: { who: 'Ada', at: 0 },
    row: {
      ...{ trajectory, task, seed: 1, instruction: 'Star it.', purpose: 'collect', provenance: 'rollout' },
      ...{ mode: 'a11y_tree', outcome: 'success', steps: 3, startedAt: 0, endedAt: 1, bytes: 9 },
      marked: { keySteps: [], instruction: 'Star the newest mail.' },
    },
  });
  const [a, b] = poolNodes([member('b', '1'), member('a', '2'), member('b', '3')], t);
  expect([a?.label, a?.description, b?.label, b?.description]).toEqual(['a', '1', 'b', '2']);
  expect(a?.children?.[0]).toMatchObject({
    label: 'Star the newest mail.',
    description: '3 steps, by Ada',
    trajectory: '2',
  });
  const { row: one, ...rest } = member('c', '4');
  const [short] = poolNodes([{ ...rest, row: { ...one, steps: 1 } }], t);
  expect([short?.tooltip, short?.children?.[0]?.description]).toEqual([
    ['One success that is kept to learn from'],
    '1 step, by Ada',
  ]);
});
