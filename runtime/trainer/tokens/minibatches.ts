// Divides the rows of a batch into updates, and computes the weights of their tokens. Pure.

import { at } from '../../core/at.ts';
import type { BatchId } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { sum } from '../../core/sum.ts';
import { builtInLoss } from '../../learner/built-in-loss.ts';
import type { LearnerCapabilities, RatioClip, UpdateRow } from '../../learner/learner.ts';
import { k3, replyWeights } from '../../learner/token-objective.ts';
import { withinBudget } from '../aggregation.ts';
import type { PreparedReply } from './prepare-tokens.ts';
import type { TokenRecipe } from './token-recipe.ts';

/** The part of a row that names it within its batch. */
type NamedRow = Pick<PreparedReply, 'group'> & {
  readonly origin: Pick<PreparedReply['origin'], 'trajectory' | 'index'>;
};

/**
 * In random order, so that each update has a share of the replayed successes, which end the batch. The place of a row depends on its name alone: a
 * resumed batch keeps its order, also if the selection of its steps, which depends on the present weights, or a trajectory has changed.
 */
export const mixed = <Row extends NamedRow>(rows: readonly Row[], batch: BatchId): readonly Row[] =>
  rows
    .map(row => ({ row, place: placeOf(row, batch) }))
    .sort((one, other) => one.place - other.place)
    .map(({ row }) => row);

const placeOf = ({ group, origin }: NamedRow, batch: BatchId): number =>
  seeded(`${batch}/${group}/${origin.trajectory}/${origin.index}`).next();

/**
 * At least two parts of a batch with two rows: in the first ρ is 1 and the clip never acts. With a budget, parts of this many tokens of replies
 * instead. Within a part, the rows of a trajectory are adjacent and in order.
 */
export function minibatches<Row extends NamedRow & { readonly old: readonly number[] }>(
  rows: readonly Row[],
  most: number,
  budget: number,
): readonly (readonly Row[])[] {
  if (budget > 0) return withinBudget(rows, ({ old }) => old.length, budget).map(byTrajectory);
  const count = Math.min(rows.length, Math.max(2, Math.ceil(rows.length / most)));
  return Array.from({ length: count }, (_, index) =>
    byTrajectory(
      rows.slice(Math.floor((index * rows.length) / count), Math.floor(((index + 1) * rows.length) / count)),
    ),
  );
}

/** For an update, each file of a trajectory is read once. The loss is a sum over the rows, so it does not depend on their order. */
const byTrajectory = <Row extends NamedRow>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted(({ origin: one }, { origin: other }) => {
    if (one.trajectory === other.trajectory) return one.index - other.index;
    return one.trajectory < other.trajectory ? -1 : 1;
  });

/** The clip of an update, if the learner computes the whole objective itself. */
export const builtInClip = (
  { clips }: Pick<LearnerCapabilities, 'clips'>,
  { objective }: Pick<TokenRecipe, 'objective'>,
): RatioClip | undefined => (clips ? builtInLoss(objective) : undefined);

export interface WeightedReply {
  readonly row: UpdateRow;
  readonly clipped: number;
  /** The divergence from the weights at the start of the batch. */
  readonly kl: number;
}

/** The loss of the update is the sum of the terms of its replies, each divided by its `divisor`. */
export function updateRow(
  reply: PreparedReply,
  present: readonly number[],
  divisor: number,
  { objective }: Pick<TokenRecipe, 'objective'>,
): WeightedReply {
  const { origin, group, task, step, advantage, old, isAssessed, rollout, reference } = reply;
  const kl = sum(present.map((each, token) => k3(each - at(old, token)))) / present.length;
  const { weights, clipped } = replyWeights({ advantage, present, old, rollout, reference }, objective);
  return {
    ...{ clipped, kl },
    row: {
      step,
      weights: weights.map(weight => weight / divisor),
      origin: {
        ...{ trajectory: origin.trajectory, index: origin.index, isSuccess: origin.isSuccess },
        ...{ group, task, advantage },
        ...(isAssessed && { old }),
        ...(rollout !== undefined && { rollout }),
        ...(reference !== undefined && { reference }),
      },
    },
  };
}
