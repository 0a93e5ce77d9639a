// What waits to be judged, who belongs to the success pool, and what was said: in this thread, against plain lists.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seed, type TaskId, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import { type Mark, markOf, type Remark } from '../../../runtime/data/files/marks.ts';
import type { IndexedTrajectory } from '../../../runtime/data/index/questions.ts';
import { folder, judged, trajectory } from '../trajectories.ts';
import { indexed, rowOf, several } from './filled.ts';

const ALL = { offset: 0, limit: 999 };
const [MAIL, NOTES, FILES] = ['mail', 'notes', 'files'].map(taskId) as [TaskId, TaskId, TaskId];

const at = (task: TaskId, number = 1) => ({ instance: { task, seed: seed(number) } });
const said = (id: string, remark: Remark, when = 1): Mark => markOf(remark, trajectoryId(id), 'ada', when);

test('of every instance without a member just one success waits, and the pages have all of them', async () => {
  await fc.assert(
    fc.asyncProperty(several, fc.array(fc.tuple(fc.nat(24), fc.boolean())), async (all, judgements) => {
      const catalogue = await indexed(folder(), all);
      const pool = new Map<string, boolean>();
      for (const [which, isMember] of judgements) {
        const { id } = all[which % all.length] ?? trajectory('t');
        pool.set(id, isMember);
        catalogue.mark(said(id, { kind: 'pool', isMember }), 0);
      }
      const instanceOf = ({ instance }: Pick<IndexedTrajectory, 'instance'>) =>
        `${instance.task} ${instance.seed}`;
      const withMember = new Set(all.filter(({ id }) => pool.get(id)).map(instanceOf));
      const open = all
        .map(rowOf)
        .filter(({ outcome, purpose, provenance }) => {
          return outcome === 'success' && purpose !== 'evaluate' && provenance !== 'hindsight';
        })
        .filter(row => !pool.has(row.id) && !withMember.has(instanceOf(row)));
      const { total, waiting } = catalogue.pool.waiting(ALL);
      expect(waiting.map(({ row }) => instanceOf(row)).sort()).toEqual(
        [...new Set(open.map(instanceOf))].sort(),
      );
      expect(total).toBe(waiting.length);
      for (const { row } of waiting) expect(open.map(({ id }) => id)).toContain(row.id);
      const parts = [0, 2, 4].map(offset => catalogue.pool.waiting({ offset, limit: 2 }).waiting);
      expect(parts.flat()).toEqual(waiting.slice(0, 6));
    }),
    { numRuns: 60 },
  );
});

test('what was collected waits before what a rollout achieved, and the newest before older ones', async () => {
  const { pool } = await indexed(folder(), [
    trajectory('old', { ...at(MAIL, 1), endedAt: 1 }),
    trajectory('new', { ...at(MAIL, 1), endedAt: 2 }),
    trajectory('collected', { ...at(MAIL, 2), purpose: 'collect', endedAt: 1 }),
    trajectory('later', { ...at(MAIL, 2), endedAt: 9 }),
  ]);
  expect(pool.waiting(ALL).waiting.map(({ row }) => String(row.id))).toEqual(['collected', 'new']);
});

test('tasks with the fewest members come first, of these the hardest', async () => {
  const catalogue = await indexed(folder(), [
    trajectory('easy', at(NOTES)),
    trajectory('hard', at(FILES)),
    ...[1, 2, 3].map(number => trajectory(`failed-${number}`, { ...at(FILES), outcome: judged(0) })),
    trajectory('in', at(MAIL, 1)),
    trajectory('open', at(MAIL, 2)),
  ]);
  catalogue.mark(said('in', { kind: 'pool', isMember: true }), 0);
  const { waiting } = catalogue.pool.waiting(ALL);
  expect(waiting.map(({ row, members, successes, trials }) => [row.id, members, successes, trials])).toEqual([
    ['hard', 0, 1, 4],
    ['easy', 0, 1, 1],
    ['open', 1, 2, 2],
  ]);
  expect(catalogue.pool.waiting({ ...ALL, tasks: [MAIL] }).waiting.map(({ row }) => row.id)).toEqual([
    'open',
  ]);
});

test('a member has who accepted it last and when; one that left it is none', async () => {
  const catalogue = await indexed(folder(), [
    trajectory('a', at(MAIL)),
    trajectory('b', at(NOTES)),
    trajectory('c', at(NOTES)),
  ]);
  for (const mark of [
    said('a', { kind: 'pool', isMember: true }, 10),
    said('b', { kind: 'pool', isMember: true }, 20),
    said('c', { kind: 'pool', isMember: true }, 30),
    said('c', { kind: 'pool', isMember: false }, 40),
    said('a', { kind: 'note', text: 'nice' }, 50),
    { ...said('a', { kind: 'pool', isMember: true }, 60), who: 'bob' },
  ])
    catalogue.mark(mark, 0);
  const told = catalogue.pool.members(ALL);
  expect(told.members.map(({ row, who, at: when }) => [row.id, who, when])).toEqual([
    ['a', 'bob', 60],
    ['b', 'ada', 20],
  ]);
  expect(told.total).toBe(2);
  expect(catalogue.pool.members({ ...ALL, tasks: [NOTES] }).members.map(({ row }) => row.id)).toEqual(['b']);
  expect([...catalogue.pool.counts()].sort()).toEqual([
    [MAIL, 1],
    [NOTES, 1],
  ]);
});

test('everything that was said of a trajectory is there, in its order, also after it was read again', async () => {
  const catalogue = await indexed(folder(), [trajectory('a')]);
  const marks = [
    said('a', { kind: 'trim', part: { from: 0, to: 1 } }, 1),
    said('a', { kind: 'note', text: 'why?' }, 2),
    said('a', { kind: 'trim', part: null }, 3),
  ];
  for (const mark of [...marks, ...marks]) catalogue.mark(mark, 0);
  expect(catalogue.pool.said(trajectoryId('a'))).toEqual(marks);
  expect(catalogue.pool.said(trajectoryId('b'))).toEqual([]);
});
