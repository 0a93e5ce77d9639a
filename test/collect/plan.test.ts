import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hardestFirst } from '../../runtime/collect/plan.ts';
import { seed, taskId } from '../../runtime/core/ids.ts';

const [easy, hard, untried] = [taskId('easy'), taskId('hard'), taskId('untried')];
const SEEDS = [seed(0), seed(1)];
const rates = new Map([
  [easy, 0.9],
  [hard, 0.1],
]);

test('unsolved instances come first, those of the hardest task before the others', () => {
  const members = [
    { task: untried, seed: seed(0) },
    { task: hard, seed: seed(1) },
  ];
  const plan = hardestFirst([easy, hard, untried], SEEDS, { rates, members });
  expect(plan.map(({ task, seed: number }) => `${task} ${number}`)).toEqual([
    ...['untried 1', 'hard 0', 'easy 0', 'easy 1'],
    ...['untried 0', 'hard 1'],
  ]);
});

test('instances of equally hard tasks come by seed, so that the tasks take turns', () => {
  const plan = hardestFirst([untried, taskId('new')], SEEDS, { rates, members: [] });
  expect(plan.map(({ task, seed: number }) => `${task} ${number}`)).toEqual([
    ...['untried 0', 'new 0', 'untried 1', 'new 1'],
  ]);
});

test('every instance is planned once', () => {
  const known = fc.record({ task: fc.constantFrom(easy, hard, untried), seed: fc.nat(3).map(seed) });
  fc.assert(
    fc.property(fc.array(known), members => {
      const plan = hardestFirst([easy, hard, untried], SEEDS, { rates, members });
      expect(new Set(plan.map(({ task, seed: number }) => `${task} ${number}`)).size).toBe(6);
      expect(plan).toHaveLength(6);
    }),
  );
});
