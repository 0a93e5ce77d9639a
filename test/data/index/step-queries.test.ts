// Compares the most uncertain steps of the index with plain lists of the same trajectories.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { traceUncertainty } from '../../../runtime/core/trace.ts';
import { STEPS_KEPT } from '../../../runtime/data/index/tables.ts';
import { folder, step, trajectory } from '../trajectories.ts';
import { indexed, RUNS, rowOf, several, TASKS } from './filled-index.ts';

const filters = fc.record(
  {
    run: fc.constantFrom(...RUNS),
    tasks: fc.subarray(TASKS),
    outcomes: fc.subarray(['success', 'failure', 'broken'] as const),
  },
  { requiredKeys: [] },
);

test('pages have the matching steps, most uncertain first', async () => {
  await fc.assert(
    fc.asyncProperty(several, filters, async (all, filter) => {
      const { queries } = await indexed(folder(), all);
      const wanted = all
        // Evaluations never train.
        .filter(({ purpose }) => purpose !== 'evaluate')
        .filter(({ run }) => filter.run === undefined || run === filter.run)
        .filter(({ instance }) => filter.tasks?.includes(instance.task) ?? true)
        .filter(each => filter.outcomes?.includes(rowOf(each).outcome) ?? true)
        .flatMap(({ steps }) =>
          steps.flatMap(({ chosen }) => (chosen && traceUncertainty(chosen.trace)) ?? []),
        )
        .sort((a, b) => b - a);
      const pages = await Promise.all([0, 5, 10].map(offset => queries.steps({ filter, offset, limit: 5 })));
      expect(pages.flat().map(({ uncertainty }) => uncertainty.toFixed(4))).toEqual(
        wanted.slice(0, 15).map(share => share.toFixed(4)),
      );
    }),
    { numRuns: 60 },
  );
});

test('a long trajectory contributes only its most uncertain steps', async () => {
  const shares = [0.1, 0.9, 0.3, 0.8, 0.2, 0.7, 0.6];
  const { queries } = await indexed(folder(), [
    trajectory('long', { steps: shares.map(share => step(1, share)) }),
  ]);
  const found = await queries.steps({ filter: {}, offset: 0, limit: 99 });
  expect(found.map(each => each.step)).toEqual([1, 3, 5, 6].slice(0, STEPS_KEPT));
});

test('with `by`, the result has at most `limit` steps of each task or outcome', async () => {
  await fc.assert(
    fc.asyncProperty(several, fc.constantFrom('task', 'outcome'), async (all, by) => {
      const { queries } = await indexed(folder(), all);
      const everything = await queries.steps({ filter: {}, offset: 0, limit: 999 });
      const nameOf = (each: (typeof everything)[number]): string =>
        by === 'task' ? each.instance.task : each.outcome;
      const wanted = everything.filter((each, index) => {
        const before = everything.slice(0, index).filter(other => nameOf(other) === nameOf(each));
        return before.length < 2;
      });
      expect(await queries.steps({ filter: {}, by, offset: 0, limit: 2 })).toEqual(wanted);
    }),
    { numRuns: 30 },
  );
});
