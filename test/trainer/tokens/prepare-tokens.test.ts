// The steps of a batch of replies that train, and what is measured with them.

import { expect, test } from 'vitest';
import type { Batch } from '../../../runtime/core/batch.ts';
import { type TokensChoice, withoutProbabilities } from '../../../runtime/core/trace.ts';
import { prepareTokens } from '../../../runtime/trainer/tokens/prepare-tokens.ts';
import { Disk, newLearner, TOKEN_RECIPE, tokenBatch } from './token-ring.ts';

const prepared = (batch: Batch, divergence = 0) =>
  prepareTokens(
    batch,
    {
      learner: newLearner(new Disk()),
      recipe: { ...TOKEN_RECIPE, highEntropy: true, objective: { ...TOKEN_RECIPE.objective, divergence } },
      ...{ imageTokens: [9], useImages: async () => new Map() },
    },
    new AbortController().signal,
  );

/** A batch of replies whose servers estimated entropies; from `stored` on, they are of a stored success, which has none. */
function batchWith(stored: number): Batch {
  const batch = tokenBatch('b', 10);
  const groups = batch.groups.map(group => ({
    ...group,
    steps: group.steps.map((step, index) => {
      const choice = { ...(step.choice as TokensChoice), entropies: [0.2, 0.2] };
      return { ...step, choice: index < stored ? choice : withoutProbabilities(choice) };
    }),
  }));
  return { ...batch, groups };
}

const uncertainties = async (batch: Batch) =>
  (await prepared(batch)).masks.flatMap(({ steps }) => steps.map(({ uncertainty }) => uncertainty));

test('the steps of a group are compared by one estimator', async () => {
  expect(await uncertainties(batchWith(10))).toEqual(Array(10).fill(0.2));
  const [first, second, third, fourth, fifth, ...stored] = await uncertainties(batchWith(5));
  // The same replies, with and without an estimate of the server.
  expect(stored).toEqual([first, second, third, fourth, fifth]);
  expect(first).not.toBe(0.2);
});

test('the estimates of servers with different estimators are not compared', async () => {
  const batch = batchWith(10);
  const groups = batch.groups.map(group => ({
    ...group,
    steps: group.steps.map((step, index) => ({
      ...step,
      choice: { ...(step.choice as TokensChoice), estimator: index < 5 ? 'top-k' : 'surprisal' } as const,
    })),
  }));
  // The surprisals of the learner, as without any estimate.
  expect(await uncertainties({ ...batch, groups })).toEqual(await uncertainties(batchWith(0)));
});

test('the distance from the first weights is measured only with a reference', async () => {
  expect((await prepared(batchWith(10))).figures.has('actor/kl_loss')).toBe(false);
  expect((await prepared(batchWith(10), 0.1)).figures.get('actor/kl_loss')).toBeCloseTo(0);
});
