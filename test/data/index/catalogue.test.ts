// The index in this thread, against plain lists of the same trajectories.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runId, seed, type TaskId, taskId } from '../../../runtime/contracts/ids.ts';
import type { Summary } from '../../../runtime/data/files/summary.ts';
import { type Filter, type Range, type Row, SORTS } from '../../../runtime/data/index/questions.ts';
import { folder, judged, step, trajectory } from '../trajectories.ts';
import { indexed, RUNS, rowOf, several, TASKS } from './filled.ts';

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    run: fc.constantFrom(...RUNS, runId('run-3')),
    tasks: fc.subarray([...TASKS, taskId('unheard-of')]),
    seed: fc.nat(2).map(seed),
    purposes: fc.subarray<'train' | 'evaluate'>(['train', 'evaluate']),
    provenances: fc.subarray<'rollout' | 'hindsight'>(['rollout', 'hindsight']),
    outcomes: fc.subarray<Summary['outcome']>(['success', 'failure', 'broken']),
    since: fc.integer({ min: 1000, max: 1200 }),
    until: fc.integer({ min: 1000, max: 1200 }),
    steps: fc.record({ from: fc.nat(4), to: fc.nat(4) }, { requiredKeys: [] }),
    maxUncertainty: fc.record({ from: fc.constant(0.5) }, { requiredKeys: [] }),
    versions: fc.record({ from: fc.nat(9), to: fc.nat(9) }, { requiredKeys: [] }),
    text: fc.constantFrom('RENAME', 'mail', '%', '_', '!', 'the n'),
  },
  { requiredKeys: [] },
);

const within = (value: number, { from = value, to = value }: Range = {}): boolean =>
  from <= value && value <= to;

const spans = (row: Row, { from = 0, to = 99 }: Range): boolean =>
  (from === 0 && to === 99) ||
  (row.oldest === undefined || row.newest === undefined ? false : row.newest >= from && row.oldest <= to);

const passes = (row: Row, filter: Filter): boolean =>
  (filter.run === undefined || row.run === filter.run) &&
  (filter.tasks?.includes(row.instance.task) ?? true) &&
  (filter.seed === undefined || row.instance.seed === filter.seed) &&
  (filter.purposes?.includes(row.purpose) ?? true) &&
  (filter.provenances?.includes(row.provenance) ?? true) &&
  (filter.outcomes?.includes(row.outcome) ?? true) &&
  within(row.steps, filter.steps) &&
  (filter.maxUncertainty?.from === undefined || (row.maxUncertainty ?? -1) >= filter.maxUncertainty.from) &&
  (filter.versions === undefined || spans(row, filter.versions)) &&
  (filter.text === undefined ||
    [row.instruction, row.instance.task].some(each =>
      each.toLowerCase().includes((filter.text ?? '').toLowerCase()),
    )) &&
  (filter.since === undefined || row.endedAt >= filter.since) &&
  (filter.until === undefined || row.endedAt < filter.until);

test('a page has what passes its filter, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      several,
      filters,
      fc.constantFrom(...SORTS),
      fc.boolean(),
      fc.nat(5),
      async (all, filter, sort, descending, offset) => {
        const { answers } = await indexed(folder(), all);
        const value = (row: Row): number => row[sort] ?? Number.NEGATIVE_INFINITY;
        const wanted = all
          .map(rowOf)
          .filter(row => passes(row, filter))
          .sort((a, b) => value(a) - value(b) || a.endedAt - b.endedAt);
        if (descending) wanted.reverse();
        const page = answers.page({ filter, sort, descending, offset, limit: 7 });
        expect(page).toEqual({ total: wanted.length, rows: wanted.slice(offset, offset + 7) });
      },
    ),
    { numRuns: 150 },
  );
});

test('rates count what was judged; broken ones are apart, relabelled copies nowhere', async () => {
  await fc.assert(
    fc.asyncProperty(several, filters, async (all, filter) => {
      const { answers } = await indexed(folder(), all);
      const rows = all.map(rowOf).filter(row => row.provenance !== 'hindsight' && passes(row, filter));
      const rate = (task: TaskId, those: readonly Row[]) => {
        const tried = those.filter(({ outcome }) => outcome !== 'broken');
        return {
          task,
          successes: tried.filter(({ outcome }) => outcome === 'success').length,
          trials: tried.length,
          broken: those.length - tried.length,
          meanScore: tried.reduce((sum, { score = 0 }) => sum + score, 0) / tried.length,
        };
      };
      const byTask = (those: readonly Row[]) =>
        TASKS.map(task => ({ task, those: those.filter(({ instance }) => instance.task === task) }))
          .filter(({ those }) => those.length > 0)
          .map(({ task, those }) => rate(task, those));
      const name = ({ task }: { readonly task: TaskId }): string => task;
      const sorted = <T extends { readonly task: TaskId }>(rates: readonly T[]) =>
        [...rates].sort((a, b) => name(a).localeCompare(name(b)));
      expect(sorted(answers.rates({ filter }))).toEqual(sorted(byTask(rows)));
      for (const from of [1000, 1100, 1200]) {
        const there = answers.ratesOverTime({ filter, span: 100 }).filter(each => each.from === from);
        const wanted = byTask(rows.filter(({ endedAt }) => endedAt >= from && endedAt < from + 100));
        expect(sorted(there)).toEqual(sorted(wanted.map(each => ({ ...each, from }))));
      }
    }),
    { numRuns: 40 },
  );
});

test('the most uncertain steps come first, of what is asked for', async () => {
  const { uncertain } = await indexed(folder(), [
    trajectory('a', { steps: [step(1, 0.2), step(2, 0.9)], outcome: judged(0) }),
    trajectory('b', { steps: [step(3, 0.6), { action: { kind: 'wait' }, meant: [] }] }),
  ]);
  const steps = uncertain.steps({ filter: {}, offset: 0, limit: 9 });
  expect(steps.map(({ trajectory, step, uncertainty }) => [trajectory, step, uncertainty])).toEqual([
    ['a', 1, 0.9],
    ['b', 0, 0.6],
    ['a', 0, 0.2],
  ]);
  expect(steps[0]).toMatchObject({ kind: 'click', probability: 0.5, version: 2, outcome: 'failure' });
  const failed = uncertain.steps({
    filter: { outcomes: ['failure'], kinds: ['click'] },
    offset: 1,
    limit: 9,
  });
  expect(failed.map(({ step }) => step)).toEqual([0]);
  expect(uncertain.steps({ filter: { kinds: ['drag'] }, offset: 0, limit: 9 })).toEqual([]);
});
