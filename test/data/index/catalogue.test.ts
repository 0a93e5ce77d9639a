// Compares the results of the index with plain lists of the same trajectories.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runId, seed, type TaskId, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { marked, markOf, type Remark, UNMARKED } from '../../../runtime/data/files/marks.ts';
import { ledgerLineOf, type Summary } from '../../../runtime/data/files/summary.ts';
import type {
  Filter,
  IndexedTrajectory,
  Range,
  RateFilter,
  TaskRate,
} from '../../../runtime/data/index/queries.ts';
import { SORTS } from '../../../runtime/protocol/daemon/trajectories.ts';
import { BROKEN, folder, judged, step, trajectory } from '../trajectories.ts';
import { headOf, indexed, openIndex, RUNS, rowOf, several, TASKS, write } from './filled-index.ts';

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    run: fc.constantFrom(...RUNS, runId('run-3')),
    tasks: fc.subarray([...TASKS, taskId('unknown')]),
    seed: fc.nat(2).map(seed),
    purposes: fc.subarray<'train' | 'evaluate'>(['train', 'evaluate']),
    provenances: fc.subarray<'rollout' | 'hindsight'>(['rollout', 'hindsight']),
    outcomes: fc.subarray<Summary['outcome']>(['success', 'failure', 'broken']),
    since: fc.integer({ min: 1000, max: 1200 }),
    until: fc.integer({ min: 1000, max: 1200 }),
    steps: fc.record({ from: fc.nat(4), to: fc.nat(4) }, { requiredKeys: [] }),
    maxUncertainty: fc.record({ from: fc.constant(0.5) }, { requiredKeys: [] }),
    versions: fc.record({ from: fc.nat(9), to: fc.nat(9) }, { requiredKeys: [] }),
    isInPool: fc.boolean(),
    text: fc.constantFrom('RENAME', 'mail', '%', '_', '!', 'the n', 'ÜBER', 'письмо'),
  },
  { requiredKeys: [] },
);

const withSearchedTexts = several.map(all =>
  all.map((each, index) => (index % 3 === 0 ? { ...each, instruction: 'Письмо über 100 %' } : each)),
);

const within = (value: number, { from = value, to = value }: Range = {}): boolean =>
  from <= value && value <= to;

const spans = (row: IndexedTrajectory, { from = 0, to = 99 }: Range): boolean =>
  (from === 0 && to === 99) ||
  (row.oldest === undefined || row.newest === undefined ? false : row.newest >= from && row.oldest <= to);

const passes = (row: IndexedTrajectory, filter: Filter): boolean =>
  (filter.run === undefined || row.run === filter.run) &&
  (filter.tasks?.includes(row.instance.task) ?? true) &&
  (filter.seed === undefined || row.instance.seed === filter.seed) &&
  (filter.purposes?.includes(row.purpose) ?? true) &&
  (filter.provenances?.includes(row.provenance) ?? true) &&
  (filter.outcomes?.includes(row.outcome) ?? true) &&
  within(row.steps, filter.steps) &&
  (filter.maxUncertainty?.from === undefined || (row.maxUncertainty ?? -1) >= filter.maxUncertainty.from) &&
  (filter.versions === undefined || spans(row, filter.versions)) &&
  (filter.isInPool === undefined || (row.isInPool ?? false) === filter.isInPool) &&
  (filter.text === undefined ||
    [row.instruction, row.instance.task].some(each =>
      each.toLowerCase().includes((filter.text ?? '').toLowerCase()),
    )) &&
  (filter.since === undefined || row.endedAt >= filter.since) &&
  (filter.until === undefined || row.endedAt < filter.until);

test('a page has the trajectories that match its filter, sorted', async () => {
  await fc.assert(
    fc.asyncProperty(
      withSearchedTexts,
      fc.array(fc.record({ index: fc.nat(24), isMember: fc.boolean() }), { maxLength: 9 }),
      filters,
      fc.constantFrom(...SORTS),
      fc.boolean(),
      fc.nat(5),
      async (all, votes, filter, sort, descending, offset) => {
        const catalogue = await indexed(folder(), all);
        const { queries } = catalogue;
        const remarks = new Map<string, Remark>();
        for (const { index, isMember } of votes) {
          const { id } = all[index % all.length] ?? trajectory('t');
          const remark: Remark = { kind: 'pool', isMember };
          remarks.set(id, remark);
          await catalogue.mark(markOf(remark, id, 'ada', 1), 0);
        }
        const value = (row: IndexedTrajectory): number => row[sort] ?? Number.NEGATIVE_INFINITY;
        const wanted = all
          .map(rowOf)
          .map(row => {
            const remark = remarks.get(row.id);
            return remark === undefined ? row : { ...row, ...marked(UNMARKED, remark, 'ada') };
          })
          .filter(row => passes(row, filter))
          .sort((a, b) => value(a) - value(b) || a.endedAt - b.endedAt);
        if (descending) wanted.reverse();
        const page = await queries.page({ filter, sort, descending, offset, limit: 7 });
        expect(page).toEqual({
          ...{ total: wanted.length, rows: wanted.slice(offset, offset + 7) },
          upTo: all.length,
        });
        const [first, ...later] = all;
        const early = await queries.page({ filter, sort, descending, offset: 0, limit: 99, upTo: 1 });
        expect(early.rows.map(({ id }) => id)).toEqual(
          wanted
            .filter(({ id }) => id === first?.id && !later.some(each => each.id === id))
            .map(({ id }) => id),
        );
      },
    ),
    { numRuns: 150 },
  );
});

const rateFilters: fc.Arbitrary<RateFilter> = filters.map(({ run, tasks, purposes }) => ({
  ...(run !== undefined && { run }),
  ...(tasks !== undefined && { tasks }),
  ...(purposes !== undefined && { purposes }),
}));

const rateOf = (task: TaskId, rows: readonly IndexedTrajectory[]): TaskRate => {
  const tried = rows.filter(({ outcome }) => outcome !== 'broken');
  return {
    task,
    successes: tried.filter(({ outcome }) => outcome === 'success').length,
    trials: tried.length,
    broken: rows.length - tried.length,
  };
};

const ratesOf = (rows: readonly IndexedTrajectory[]): readonly TaskRate[] =>
  TASKS.map(task => ({ task, own: rows.filter(({ instance }) => instance.task === task) }))
    .filter(({ own }) => own.length > 0)
    .map(({ task, own }) => rateOf(task, own));

const byTask = <T extends TaskRate>(rates: readonly T[]): readonly T[] =>
  rates.toSorted((a, b) => (a.task < b.task ? -1 : 1));

test('rates include deleted trajectories, count broken ones separately, and exclude relabelled copies', async () => {
  await fc.assert(
    fc.asyncProperty(several, rateFilters, fc.nat(), async (all, filter, chosen) => {
      const { queries, left } = await withDeleted(all, chosen);
      expect((await queries.volume()).count).toBe(left);
      const rows = all.map(rowOf).filter(row => row.provenance !== 'hindsight' && passes(row, filter));
      expect(byTask(await queries.rates({ filter }))).toEqual(byTask(ratesOf(rows)));
    }),
    { numRuns: 60 },
  );
});

test('rates over time cover equal intervals from the first to the last end', async () => {
  const MINUTE = 60_000;
  const minuteOf = ({ endedAt }: IndexedTrajectory): number => Math.floor(endedAt / MINUTE);
  await fc.assert(
    fc.asyncProperty(several, rateFilters, fc.nat(), fc.nat(3), async (all, filter, chosen, more) => {
      const spread = all.map(each => ({ ...each, endedAt: each.endedAt * 6100 }));
      const { queries } = await withDeleted(spread, chosen);
      const rows = spread.map(rowOf).filter(row => row.provenance !== 'hindsight' && passes(row, filter));
      const parts = 1 + more;
      const first = Math.min(...rows.map(minuteOf));
      const length = Math.ceil((Math.max(...rows.map(minuteOf)) - first + 1) / parts);
      const found = await queries.ratesOverTime({ filter, parts });
      expect(found.map(({ from }) => from)).toEqual(found.map(({ from }) => from).toSorted((a, b) => a - b));
      for (let part = 0; part < parts; part++) {
        const from = first + part * length;
        const wanted = ratesOf(rows.filter(row => minuteOf(row) >= from && minuteOf(row) < from + length));
        expect(byTask(found.filter(each => each.from === from * MINUTE))).toEqual(
          byTask(wanted.map(each => ({ ...each, from: from * MINUTE }))),
        );
      }
      expect(found).toHaveLength(new Set(found.map(({ from, task }) => `${from} ${task}`)).size);
    }),
    { numRuns: 60 },
  );
});

type Change =
  | {
      readonly kind: 'add' | 'forget';
      readonly which: number;
      readonly result: 0 | 1 | 'broken';
      readonly minute: number;
    }
  | { readonly kind: 'judge'; readonly which: number; readonly success: boolean | null }
  | { readonly kind: 'drop run'; readonly run: number };

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('add' as const, 'forget' as const),
      which: fc.nat(7),
      result: fc.constantFrom(0 as const, 1 as const, 'broken' as const),
      minute: fc.nat(2),
    }),
    fc.record({
      kind: fc.constant('judge' as const),
      which: fc.nat(7),
      success: fc.constantFrom(true, false, null),
    }),
    fc.record({ kind: fc.constant('drop run' as const), run: fc.nat(1) }),
  ),
  { maxLength: 24 },
);

test('rates count what is there and what retention deleted, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async all => {
      const catalogue = await openIndex(folder());
      const present = new Map<number, IndexedTrajectory>();
      const deleted: IndexedTrajectory[] = [];
      const verdicts = new Map<number, boolean>();
      let ledgerEnd = 0;
      for (const [time, change] of all.entries()) {
        if (change.kind === 'drop run') {
          const run = RUNS[change.run];
          if (run !== undefined) await catalogue.forgetRun(run);
          for (const [which, row] of present) if (row.run === run) present.delete(which);
          continue;
        }
        const { which } = change;
        const known = present.get(which);
        if (change.kind === 'add') {
          const [run, task] = [RUNS[which % 2], TASKS[which % 3]];
          if (run === undefined || task === undefined) throw new Error('There are runs and tasks.');
          const each = trajectory(`t${which}`, {
            ...{ run, instance: { task, seed: seed(0) }, endedAt: 60_000 * change.minute + which },
            purpose: which % 4 < 2 ? 'train' : 'evaluate',
            outcome: change.result === 'broken' ? BROKEN : judged(change.result),
            ...(which === 7 && { provenance: { kind: 'hindsight', of: trajectoryId('t') } }),
          });
          await catalogue.add(headOf(each).head, 1);
          present.set(which, rowOf(each));
        } else if (change.kind === 'judge') {
          const remark = { kind: 'verdict', success: change.success } as const;
          await catalogue.mark(markOf(remark, trajectoryId(`t${which}`), 'ada', time), time);
          if (change.success === null) verdicts.delete(which);
          else verdicts.set(which, change.success);
        } else if (known !== undefined && !verdicts.has(which)) {
          ledgerEnd += 100;
          await catalogue.forget([ledgerLineOf(known, 7)], ledgerEnd);
          present.delete(which);
          deleted.push(known);
        }
      }
      const counted = [...present].map(([which, row]): IndexedTrajectory => {
        const verdict = verdicts.get(which);
        return verdict === undefined ? row : { ...row, outcome: verdict ? 'success' : 'failure' };
      });
      const rows = [...counted, ...deleted].filter(({ provenance }) => provenance !== 'hindsight');
      for (const filter of [{}, { purposes: ['train'] as const }, { run: RUNS[1] ?? runId('none') }]) {
        const wanted = rows.filter(row => passes(row, filter));
        expect(byTask(await catalogue.queries.rates({ filter }))).toEqual(byTask(ratesOf(wanted)));
        const over = await catalogue.queries.ratesOverTime({ filter, parts: 3 });
        expect(over.reduce((sum, { trials, broken }) => sum + trials + broken, 0)).toBe(wanted.length);
      }
    }),
    { numRuns: 60 },
  );
});

/** An index in which retention deleted some of the trajectories. */
async function withDeleted(all: readonly Trajectory[], chosen: number) {
  const catalogue = await indexed(folder(), all);
  const deleted = all.filter((_, number) => (chosen >> (number % 8)) % 2 === 1);
  const lines = deleted.map(each => ledgerLineOf(rowOf(each), 7));
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  await catalogue.forget(lines, Buffer.byteLength(text));
  return { queries: catalogue.queries, left: all.length - deleted.length };
}

/** SQLite drops the mark at the start of the first, and replaces the half of a surrogate pair in the second. */
const CHANGED = ['\uFEFFOpen the mail of Ada.', 'Open \ud800 the mail of Ada.'];

test.each(CHANGED)('an instruction that SQLite changes, %j, breaks no later opening', async instruction => {
  const root = folder();
  for (const [id, asked] of [
    ['a', instruction],
    ['b', instruction],
    ['c', 'Close it.'],
  ] as const) {
    write(root, trajectory(id, { instruction: asked }));
    await (await openIndex(root)).close();
  }
  const { queries } = await openIndex(root);
  const found = async (filter: Filter) => {
    const page = { filter, sort: 'endedAt', descending: false, offset: 0, limit: 9 } as const;
    return (await queries.page(page)).rows.map(({ id }) => String(id)).sort();
  };
  expect(await found({})).toEqual(['a', 'b', 'c']);
  expect(await found({ text: 'the mail' })).toEqual(['a', 'b']);
});

test('steps are filtered, and the most uncertain come first', async () => {
  const { queries } = await indexed(folder(), [
    trajectory('a', { steps: [step(1, 0.2), step(2, 0.9)], outcome: judged(0) }),
    trajectory('b', { steps: [step(3, 0.6), { action: { kind: 'wait' }, meant: [] }] }),
  ]);
  const steps = await queries.steps({ filter: {}, offset: 0, limit: 9 });
  expect(steps.map(({ trajectory, step, uncertainty }) => [trajectory, step, uncertainty])).toEqual([
    ['a', 1, 0.9],
    ['b', 0, 0.6],
    ['a', 0, 0.2],
  ]);
  expect(steps[0]).toMatchObject({ kind: 'click', probability: 0.5, version: 2, outcome: 'failure' });
  const failed = await queries.steps({
    filter: { outcomes: ['failure'], kinds: ['click'] },
    offset: 1,
    limit: 9,
  });
  expect(failed.map(({ step }) => step)).toEqual([0]);
  expect(await queries.steps({ filter: { kinds: ['drag'] }, offset: 0, limit: 9 })).toEqual([]);
});
