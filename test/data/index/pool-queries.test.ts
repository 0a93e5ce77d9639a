// Compares the review queue, the pool members and the marks of the index with plain lists.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupId, seed, type TaskId, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import { type Mark, markOf, type Remark } from '../../../runtime/data/files/marks.ts';
import type { IndexedTrajectory } from '../../../runtime/data/index/queries.ts';
import { folder, judged, trajectory } from '../trajectories.ts';
import { indexed, rowOf, several } from './filled-index.ts';

const ALL = { offset: 0, limit: 999 };
const [MAIL, NOTES, FILES] = ['mail', 'notes', 'files'].map(taskId) as [TaskId, TaskId, TaskId];

const at = (task: TaskId, number = 1) => ({ instance: { task, seed: seed(number) } });
const isCollected = ({ purpose }: Pick<IndexedTrajectory, 'purpose'>) =>
  purpose === 'collect' || purpose === 'demonstrate';
const markFor = (id: string, remark: Remark, when = 1): Mark => markOf(remark, trajectoryId(id), 'ada', when);

test('the review queue has one success per instance without a member, on consecutive pages', async () => {
  await fc.assert(
    fc.asyncProperty(several, fc.array(fc.tuple(fc.nat(24), fc.boolean())), async (played, judgements) => {
      // Some end at the same time.
      const all = played.map((each, index) => ({ ...each, endedAt: 1000 + (index % 7) }));
      const catalogue = await indexed(folder(), all);
      const pool = new Map<string, boolean>();
      for (const [which, isMember] of judgements) {
        const { id } = all[which % all.length] ?? trajectory('t');
        pool.set(id, isMember);
        await catalogue.mark(markFor(id, { kind: 'pool', isMember }), 0);
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
      const { total, waiting } = await catalogue.queries.waiting(ALL);
      // The newest collected one of each instance, else the newest; the later one of equals.
      const best = new Map(
        open
          .toSorted((a, b) => Number(isCollected(a)) - Number(isCollected(b)) || a.endedAt - b.endedAt)
          .map(row => [instanceOf(row), row.id]),
      );
      expect(waiting.map(({ row }) => row.id).sort()).toEqual([...best.values()].sort());
      expect(total).toBe(waiting.length);
      const pages = await Promise.all(
        [0, 2, 4].map(offset => catalogue.queries.waiting({ offset, limit: 2 })),
      );
      expect(pages.flatMap(page => page.waiting)).toEqual(waiting.slice(0, 6));
    }),
    { numRuns: 60 },
  );
});

test('the rate of a task counts rollouts, and neither evaluations nor demonstrations', async () => {
  const { queries } = await indexed(folder(), [
    trajectory('won', { ...at(MAIL, 1), purpose: 'demonstrate', provenance: { kind: 'oracle' } }),
    trajectory('lost', { ...at(MAIL, 2), outcome: judged(0) }),
    trajectory('tested', { ...at(MAIL, 1), purpose: 'evaluate' }),
  ]);
  const { waiting } = await queries.waiting(ALL);
  expect(waiting).toMatchObject([{ row: { id: 'won' }, successes: 0, trials: 1 }]);
});

test('collected successes precede rollouts, and newer ones precede older ones', async () => {
  const { queries } = await indexed(folder(), [
    trajectory('old', { ...at(MAIL, 1), endedAt: 1 }),
    trajectory('new', { ...at(MAIL, 1), endedAt: 2 }),
    trajectory('collected', { ...at(MAIL, 2), purpose: 'collect', endedAt: 1 }),
    trajectory('later', { ...at(MAIL, 2), endedAt: 9 }),
  ]);
  expect((await queries.waiting(ALL)).waiting.map(({ row }) => String(row.id))).toEqual(['collected', 'new']);
});

test('tasks with the fewest members come first; among these, the hardest', async () => {
  const catalogue = await indexed(folder(), [
    trajectory('easy', at(NOTES)),
    trajectory('hard', at(FILES)),
    ...[1, 2, 3].map(number => trajectory(`failed-${number}`, { ...at(FILES), outcome: judged(0) })),
    trajectory('in', at(MAIL, 1)),
    trajectory('open', at(MAIL, 2)),
  ]);
  await catalogue.mark(markFor('in', { kind: 'pool', isMember: true }), 0);
  const { waiting } = await catalogue.queries.waiting(ALL);
  expect(waiting.map(({ row, members, successes, trials }) => [row.id, members, successes, trials])).toEqual([
    ['hard', 0, 1, 4],
    ['easy', 0, 1, 1],
    ['open', 1, 2, 2],
  ]);
  expect(
    (await catalogue.queries.waiting({ ...ALL, tasks: [MAIL] })).waiting.map(({ row }) => row.id),
  ).toEqual(['open']);
});

test('the queue of second opinions has what others voted on and this person did not', async () => {
  await fc.assert(
    fc.asyncProperty(
      several,
      fc.array(
        fc.tuple(fc.nat(24), fc.constantFrom('ada', 'bob', 'eve'), fc.constantFrom(true, false, null)),
      ),
      async (all, votes) => {
        const catalogue = await indexed(folder(), all);
        const voters = new Map<string, Map<string, boolean>>(all.map(({ id }) => [id, new Map()]));
        for (const [which, who, isMember] of votes) {
          const { id } = all[which % all.length] ?? trajectory('t');
          await catalogue.mark(markOf({ kind: 'pool', isMember }, trajectoryId(id), who, 1), 0);
          if (isMember === null) voters.get(id)?.delete(who);
          else voters.get(id)?.set(who, isMember);
        }
        const { waiting } = await catalogue.queries.waiting({ ...ALL, secondOf: 'ada', order: 'teaching' });
        const wanted = [...voters].filter(([, by]) => by.size > 0 && !by.has('ada')).map(([id]) => id);
        expect(waiting.map(({ row }) => String(row.id)).sort()).toEqual(wanted.sort());
        const common = [...voters.values()].filter(by => by.size > 1);
        expect(await catalogue.queries.votes({})).toHaveLength(common.length);
      },
    ),
    { numRuns: 40 },
  );
});

test('what teaches most comes first: a contested group before a clear one, with the reason', async () => {
  const ofGroup = (group: string, number: number) => ({ ...at(MAIL, number), group: groupId(group) });
  const catalogue = await indexed(folder(), [
    trajectory('clear', ofGroup('g1', 1)),
    trajectory('clear-2', { ...ofGroup('g1', 1), endedAt: 1 }),
    trajectory('contested', ofGroup('g2', 2)),
    trajectory('failed', { ...ofGroup('g2', 2), outcome: judged(0) }),
  ]);
  const { waiting } = await catalogue.queries.waiting({ ...ALL, order: 'teaching' });
  expect(waiting.map(({ row, reasons }) => [String(row.id), reasons.includes('contested')])).toEqual([
    ['contested', true],
    ['clear', false],
  ]);
});

test('a member has the author and time of its last acceptance; a rejected one is not a member', async () => {
  const catalogue = await indexed(folder(), [
    trajectory('a', at(MAIL)),
    trajectory('b', at(NOTES)),
    trajectory('c', at(NOTES)),
  ]);
  for (const mark of [
    markFor('a', { kind: 'pool', isMember: true }, 10),
    markFor('b', { kind: 'pool', isMember: true }, 20),
    markFor('c', { kind: 'pool', isMember: true }, 30),
    markFor('c', { kind: 'pool', isMember: false }, 40),
    markFor('a', { kind: 'note', text: 'nice' }, 50),
    { ...markFor('a', { kind: 'pool', isMember: true }, 60), who: 'bob' },
  ])
    await catalogue.mark(mark, 0);
  const found = await catalogue.queries.members(ALL);
  expect(found.members.map(({ row, who, at: when }) => [row.id, who, when])).toEqual([
    ['a', 'bob', 60],
    ['b', 'ada', 20],
  ]);
  expect(found.total).toBe(2);
  expect(
    (await catalogue.queries.members({ ...ALL, tasks: [NOTES] })).members.map(({ row }) => row.id),
  ).toEqual(['b']);
  expect([...(await catalogue.queries.memberCounts())].sort()).toEqual([
    [MAIL, 1],
    [NOTES, 1],
  ]);
});

test('all marks of a trajectory are returned once, in order of creation', async () => {
  const catalogue = await indexed(folder(), [trajectory('a')]);
  const marks = [
    markFor('a', { kind: 'trim', part: { from: 0, to: 1 } }, 1),
    markFor('a', { kind: 'note', text: 'why?' }, 2),
    markFor('a', { kind: 'trim', part: null }, 3),
  ];
  for (const mark of [...marks, ...marks]) await catalogue.mark(mark, 0);
  expect(await catalogue.queries.marks(trajectoryId('a'))).toEqual(marks);
  expect(await catalogue.queries.marks(trajectoryId('b'))).toEqual([]);
});
