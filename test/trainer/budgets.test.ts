// Both trainers with a budget of tokens per update, and with the mean over tokens; steps that a filter rejects.

import { expect, test } from 'vitest';
import { SLOTS } from '../../runtime/agents/compact/action-kinds.ts';
import { sum } from '../../runtime/core/sum.ts';
import type { Tensors } from '../../runtime/graph/tensor.ts';
import { floats, numbers } from '../agents/compact/running-policy.ts';
import { batch, type Ring, ring, until } from './ring.ts';
import { Disk, newLearner, tokenBatch, tokenRing } from './tokens/token-ring.ts';

const weightsOf = (updates: readonly Tensors[]) => updates.flatMap(each => numbers(each, 'policyWeight'));
/** A click has two decisions: its kind and its place. */
const DECISIONS = 2;

test('the built-in policy trains as many decisions per update as the budget, and leaves the rest', async () => {
  const made = await ring({ during: until(1), recipe: { budget: 8, highEntropy: false } });
  await made.fabric.batches.put(batch('b', 0, 11));
  await made.trainer.run(made.stop.signal);
  // 11 steps of two decisions: two updates of four steps; three steps are left.
  const weights = weightsOf(made.updates);
  expect(weights).toEqual(weights.map(() => Math.fround(DECISIONS / 8)));
  expect(weights).toHaveLength(8);
  const used = made.updates.flatMap(each => numbers(each, 'used'));
  expect(used.filter(each => each === 1)).toHaveLength(8 * DECISIONS);
  expect(used).toHaveLength(8 * SLOTS.length);
});

test('the share of clipped decisions is that of the decisions that trained, also below the budget', async () => {
  const made: Ring = await ring({
    during: until(1),
    recipe: { budget: 48, highEntropy: false },
    // Each decision is clipped.
    instead: () => ({ clipped: floats([sum(weightsOf(made.updates.slice(-1)))]) }),
  });
  await made.fabric.batches.put(batch('b', 0, 6));
  await made.trainer.run(made.stop.signal);
  expect(sum(weightsOf(made.updates))).toBeCloseTo((6 * DECISIONS) / 48, 6);
  const figures = made.events.flatMap(each =>
    each.kind === 'metric' && each.name === 'actor/pg_clipfrac' ? [each.value] : [],
  );
  expect(figures).toEqual([expect.closeTo(1, 5)]);
});

test('steps with as many decisions weigh the same in both means', async () => {
  const trained = await Promise.all(
    (['steps', 'tokens'] as const).map(async aggregation => {
      const made = await ring({ during: until(1), recipe: { aggregation, highEntropy: false } });
      await made.fabric.batches.put(batch('b', 0, 10));
      await made.trainer.run(made.stop.signal);
      return weightsOf(made.updates);
    }),
  );
  expect(trained[0]).toEqual(trained[1]);
});

test('steps with advantage 0 neither train nor count in the mean if they are filtered', async () => {
  const trained = await Promise.all(
    [true, false].map(async filtersSteps => {
      const made = await ring({ during: until(1), recipe: { filtersSteps, highEntropy: false } });
      const { groups, ...about } = batch('b', 0, 8);
      const filtered = groups.map(group => ({
        ...group,
        steps: group.steps.map(step => ({ ...step, advantage: Math.max(0, step.advantage) })),
      }));
      await made.fabric.batches.put({ ...about, groups: filtered });
      await made.trainer.run(made.stop.signal);
      return [weightsOf(made.updates), made.masks[0]?.steps.map(({ kept }) => kept)];
    }),
  );
  const alternating = Array.from({ length: 8 }, (_, index) => index % 2 === 0);
  expect(trained).toEqual([
    [Array(4).fill(1 / 2), alternating],
    [Array(8).fill(1 / 4), Array(8).fill(true)],
  ]);
});

test('a model trains as many tokens of replies per update as the budget, divided by it', async () => {
  const learner = newLearner(new Disk());
  const { fabric, idle } = await tokenRing({ learner, recipe: { budget: 4 } });
  // Five replies of two tokens: two updates of two replies; one is left.
  await fabric.batches.put(tokenBatch('b', 5));
  await idle();
  expect(learner.applied.map(({ rows }) => rows.length)).toEqual([2, 2]);
  // In the first update ρ is 1, and the importance weight is at most 1: |A| / 4 per token is the most.
  const weights = learner.applied[0]?.rows.flatMap(row => row.weights) ?? [];
  expect(weights).toHaveLength(4);
  for (const weight of weights) expect(Math.abs(weight)).toBeLessThanOrEqual(1 / 4 + 1e-9);
});
