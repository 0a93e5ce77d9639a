// PPO's loss as learners compute it themselves, and when it is DART's objective. Pure.

import { at } from '../core/at.ts';
import { sum } from '../core/sum.ts';
import type { RatioClip, TokenUpdate, UpdateReport } from './learner.ts';
import { k3, policyRatios, surrogate, type TokenObjective } from './token-objective.ts';

/**
 * The clip of PPO's loss, if its gradient is that of the objective: a ratio per token, no KL term and no dual clip. The importance weight has no
 * gradient, so it is a factor of the weights. Beyond a log-ratio of MAX_LOG_RATIO some learners have no limit.
 */
export function builtInLoss({
  ratio,
  divergence,
  dualClip,
  clipLow,
  clipHigh,
}: TokenObjective): RatioClip | undefined {
  if (ratio !== 'token' || divergence !== 0 || dualClip !== 0) return undefined;
  return { clipLow, clipHigh };
}

export interface RatioRow {
  /** At a ratio of 1. */
  readonly weights: readonly number[];
  readonly old: readonly number[];
  readonly present: readonly number[];
}

/** The weights of a row under the present log-probabilities: minus the derivative of PPO's loss by each. */
export const clippedWeights = (row: RatioRow, clip: RatioClip): readonly number[] =>
  termsOf(row, clip).map(({ weight }) => weight);

/** What an update with a clip reports. */
export function ratioReport(
  rows: readonly RatioRow[],
  clip: RatioClip,
): Required<Pick<UpdateReport, 'loss' | 'clipped' | 'divergence'>> {
  const ofRows = rows.map(row => {
    const used = termsOf(row, clip).filter((_, token) => at(row.weights, token) !== 0);
    const meanOf = (numbers: readonly number[]) => sum(numbers) / Math.max(1, used.length);
    return {
      loss: sum(used.map(({ loss }) => loss)),
      clipped: meanOf(used.map(({ isClipped }) => Number(isClipped))),
      divergence: meanOf(used.map(({ divergence }) => divergence)),
    };
  });
  const count = Math.max(1, rows.length);
  return {
    loss: sum(ofRows.map(({ loss }) => loss)),
    clipped: sum(ofRows.map(({ clipped }) => clipped)) / count,
    divergence: sum(ofRows.map(({ divergence }) => divergence)) / count,
  };
}

/** Of PPO's loss, token by token. */
const termsOf = ({ weights, old, present }: RatioRow, clip: RatioClip) => {
  const { values, slopes } = policyRatios(present, old, { ratio: 'token' });
  return weights.map((weight, token) => {
    const { value, slope, isClipped } = surrogate(at(values, token), weight, { ...clip, dualClip: 0 });
    return {
      ...{ loss: -value, weight: slope * at(slopes, token), isClipped },
      divergence: k3(at(present, token) - at(old, token)),
    };
  });
};

/** For learners without PPO's loss. Throws a RangeError for an update that needs it. */
export function checkUnclipped({ id, clip }: TokenUpdate, learner: string): void {
  if (clip === undefined) return;
  throw new RangeError(
    `The update '${id}' has a clip, and ${learner} does not compute PPO's loss. Send the weights of its tokens under the present log-probabilities.`,
  );
}
