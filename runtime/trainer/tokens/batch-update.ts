// One update of a batch: the weights of its tokens under the present weights, and the learner's optimiser step.

import { at } from '../../core/at.ts';
import type { Batch } from '../../core/batch.ts';
import { sum } from '../../core/sum.ts';
import { rowDivisors } from '../aggregation.ts';
import { warmUp } from '../update-step.ts';
import { builtInClip, updateRow } from './minibatches.ts';
import type { PreparedReply, PreparingTokens } from './prepare-tokens.ts';

/** Makes the update with this index on its part of the batch. Returns metrics by name. */
export async function updateBatch(
  batch: Batch,
  index: number,
  part: readonly PreparedReply[],
  { learner, recipe }: Pick<PreparingTokens, 'learner' | 'recipe'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  // In the first update the present weights are those at the start of the batch. Later a learner that clips needs no log-probabilities.
  const isPresentOld = index === 0 || !learner.capabilities.assesses;
  const clip = isPresentOld ? undefined : builtInClip(learner.capabilities, recipe);
  const present =
    isPresentOld || clip !== undefined
      ? part.map(({ old }) => old)
      : await learner.assess(
          part.map(({ step }) => step),
          'present',
          signal,
        );
  const divisors = rowDivisors(
    part.map(({ old }) => old.length),
    recipe,
  );
  const weighted = part.map((row, place) => updateRow(row, at(present, place), at(divisors, place), recipe));
  const learningRate = recipe.learningRate * warmUp(learner.step, recipe.warmupUpdates);
  const report = await learner.update(
    {
      id: updateId(batch, index),
      rows: weighted.map(({ row }) => row),
      optimiser: { ...recipe.optimiser, learningRate },
      ...(clip !== undefined && { clip }),
    },
    signal,
  );
  const meanOf = (values: readonly number[]) => sum(values) / part.length;
  const figures = new Map([
    ['actor/pg_clipfrac', report.clipped ?? meanOf(weighted.map(({ clipped }) => clipped))],
    ['actor/ppo_kl', report.divergence ?? meanOf(weighted.map(({ kl }) => kl))],
  ]);
  if (report.gradientNorm !== undefined) figures.set('actor/grad_norm', report.gradientNorm);
  if (report.hardwareSeconds !== undefined) figures.set('learner/hardware_seconds', report.hardwareSeconds);
  return figures;
}

const updateId = ({ id }: Batch, index: number): string => `${id}/${index}`;

/** The number of updates of this batch in the weights, if `last` is the id of their last update. */
export function updatesMade({ id }: Batch, last: string | undefined): number {
  const [batch, index] = last?.split('/') ?? [];
  return batch === id ? Number(index) + 1 : 0;
}
