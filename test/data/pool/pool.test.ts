// The success pool of a workspace: membership, and the successes that a run starts from. Needs the bundled index that `npm test` builds.

import { expect, test } from 'vitest';
import { runId, seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { PoolError, SuccessPool } from '../../../runtime/data/pool/pool.ts';
import { NoSuchTrajectory } from '../../../runtime/data/store.ts';
import { opened } from '../open-stores.ts';
import { folder, judged, trajectory } from '../trajectories.ts';

const RENAME = taskId('notes-rename');
const OURS = { run: runId('run-1'), tasks: [RENAME], demonstrationSeeds: new Set([seed(1)]) };
const at = (number: number) => ({ task: RENAME, seed: seed(number) });

async function pooled(...all: readonly (readonly [string, Partial<Trajectory>])[]) {
  const root = folder();
  const { store } = await opened({ root });
  for (const [index, [id, changes]] of all.entries())
    await store.ingest(trajectory(id, { endedAt: 1000 + index, ...changes }));
  return { root, store, pool: new SuccessPool(store) };
}

const t = trajectoryId;

test('members are listed newest first; the file of a rejected one remains', async () => {
  const { store, pool, root } = await pooled(['a', {}], ['b', { instance: at(2) }], ['c', {}]);
  for (const id of ['a', 'c', 'b']) await pool.accept(t(id), 'ada');
  await pool.reject(t('c'), 'bob');
  const ids = async (of: SuccessPool, task = RENAME) =>
    (await of.members([task])).map(({ row, who, at }) => `${row.id} by ${who} at ${at}`);
  expect(await ids(pool)).toEqual(['b by ada at 7', 'a by ada at 7']);
  expect(await ids(pool, taskId('another'))).toEqual([]);
  expect(await pool.sizes()).toEqual(new Map([[RENAME, 2]]));
  await store.close();
  // Another program finds the same, from the journal.
  const { store: again } = await opened({ root });
  expect(await ids(new SuccessPool(again))).toEqual(['b by ada at 7', 'a by ada at 7']);
  expect((await again.index.row(t('c')))?.isInPool).toBe(false);
});

test('a rejected trajectory is not offered again', async () => {
  const { pool } = await pooled(['a', {}], ['b', {}]);
  await pool.reject(t('a'), 'ada');
  for (const id of ['a', 'b']) await pool.offer(t(id), 'bob');
  expect((await pool.members([RENAME])).map(({ row }) => row.id)).toEqual(['b']);
});

test('a success that a person judged a failure is not offered, until the verdict is removed', async () => {
  const { store, pool } = await pooled(['a', {}]);
  await store.label(t('a'), { kind: 'verdict', success: false }, 'ada');
  await pool.offer(t('a'), 'bob');
  expect(await pool.members([RENAME])).toEqual([]);
  await store.label(t('a'), { kind: 'verdict', success: null }, 'ada');
  await pool.offer(t('a'), 'bob');
  expect((await pool.members([RENAME])).map(({ row }) => row.id)).toEqual(['a']);
});

test('failures, evaluations and unknown trajectories cannot be accepted', async () => {
  const { store, pool } = await pooled(
    ['failed', { outcome: judged(0) }],
    ['measured', { purpose: 'evaluate' }],
  );
  await expect(pool.accept(t('failed'), 'ada')).rejects.toThrow(/set a manual verdict/);
  await expect(pool.accept(t('measured'), 'ada')).rejects.toBeInstanceOf(PoolError);
  await expect(pool.accept(t('nobody'), 'ada')).rejects.toBeInstanceOf(NoSuchTrajectory);
  await store.label(t('failed'), { kind: 'verdict', success: true }, 'ada');
  await pool.accept(t('failed'), 'ada');
  expect((await pool.members([RENAME])).map(({ row }) => row.id)).toEqual(['failed']);
});

test('a run starts from members of all runs and its own newest successes that are not rejected', async () => {
  const { pool } = await pooled(
    ['own-old', {}],
    ['own-new', {}],
    ['own-rejected', {}],
    ['own-failed', { outcome: judged(0.5) }],
    ['collected', { purpose: 'collect', run: runId('run-2') }],
    ['waiting', { purpose: 'collect' }],
    ['measured', { purpose: 'evaluate' }],
    ['of-another', { run: runId('run-2'), instance: at(2) }],
    ['other-task', { instance: { task: taskId('another'), seed: seed(1) } }],
  );
  await pool.accept(t('collected'), 'ada');
  await pool.accept(t('other-task'), 'ada');
  await pool.reject(t('own-rejected'), 'ada');
  const memory = pool.memory(OURS);
  const known = await memory.summaries();
  expect(known).toEqual([
    { id: 'collected', isMember: true, since: 7, instruction: 'Rename the note.' },
    { id: 'own-new', isMember: false, since: 1001, instruction: 'Rename the note.' },
  ]);
  const [first] = known;
  if (first === undefined) throw new Error('nothing is known');
  expect(await memory.load(first)).toMatchObject({ trajectory: { id: 'collected' }, isMember: true });
  expect(await memory.load({ ...first, id: t('gone') })).toBeUndefined();
});

test('a member has its trimmed part and its corrected instruction', async () => {
  const { store, pool } = await pooled(['a', {}]);
  await pool.accept(t('a'), 'ada');
  await store.label(t('a'), { kind: 'trim', part: { from: 0, to: 1 } }, 'ada');
  await store.label(t('a'), { kind: 'instruction', text: 'Call it otherwise.' }, 'ada');
  expect(await pool.memory(OURS).summaries()).toEqual([
    { id: 'a', isMember: true, since: 7, part: { from: 0, to: 1 }, instruction: 'Call it otherwise.' },
  ]);
});

test('successes and demonstrations of other runs count as members only', async () => {
  const { store, pool } = await pooled(
    ['of-another', { run: runId('run-2') }],
    ['collected', { purpose: 'demonstrate', run: runId('run-2'), instance: at(7) }],
    ['shown', { purpose: 'demonstrate', run: runId('run-2') }],
  );
  const { statusOf } = pool.memory(OURS);
  for (const id of ['of-another', 'collected', 'shown'].map(t)) {
    await pool.accept(id, 'ada');
    expect(await statusOf(id)).toMatchObject({ id, isMember: true });
    await store.label(id, { kind: 'pool', isMember: null }, 'ada');
    expect(await statusOf(id)).toBe(id === 'shown' ? 'open' : 'out');
  }
});

test.each([
  ['own', {}],
  ['shown', { purpose: 'demonstrate', run: runId('run-2') }],
] as const)('%s counts with its annotations without being a member', async (id, changes) => {
  const { store, pool } = await pooled([id, { ...changes, outcome: judged(0) }]);
  const { statusOf } = pool.memory(OURS);
  expect(await statusOf(t(id))).toBe('out');
  await store.label(t(id), { kind: 'verdict', success: true }, 'ada');
  const judgedSuccess = { id, isMember: false, since: 1000, instruction: 'Rename the note.' };
  expect(await statusOf(t(id))).toEqual(judgedSuccess);
  await store.label(t(id), { kind: 'trim', part: { from: 0, to: 1 } }, 'ada');
  await store.label(t(id), { kind: 'instruction', text: 'Call it otherwise.' }, 'ada');
  const changed = { part: { from: 0, to: 1 }, instruction: 'Call it otherwise.' };
  expect(await statusOf(t(id))).toEqual({ ...judgedSuccess, ...changed });
});

test('rare successes are not displaced by frequent ones', async () => {
  const { store } = await pooled(
    ['seldom', {}],
    ...Array.from(
      { length: 12 },
      (_, index) => [`often-${index}`, { instance: at(2 + (index % 2)) }] as const,
    ),
  );
  const found = await store.index.successes({ filter: { tasks: [RENAME] }, each: 4, limit: 3 });
  expect(found.map(({ id }) => id)).toEqual(['often-11', 'often-10', 'seldom']);
});

test('the status of a trajectory follows its marks', async () => {
  const { store, pool } = await pooled(['own', {}], ['waiting', { purpose: 'collect' }]);
  const { statusOf } = pool.memory(OURS);
  expect(await statusOf(t('own'))).toMatchObject({ id: 'own', isMember: false });
  expect(await statusOf(t('waiting'))).toBe('out');
  await pool.accept(t('waiting'), 'ada');
  expect(await statusOf(t('waiting'))).toMatchObject({ id: 'waiting', isMember: true });
  await store.label(t('waiting'), { kind: 'verdict', success: false }, 'ada');
  expect(await statusOf(t('waiting'))).toBe('out');
  await pool.reject(t('own'), 'ada');
  expect(await statusOf(t('own'))).toBe('out');
  expect(await pool.memory({ ...OURS, tasks: [taskId('another')] }).statusOf(t('own'))).toBe('out');
  expect(await statusOf(t('nobody'))).toBe('out');
});
