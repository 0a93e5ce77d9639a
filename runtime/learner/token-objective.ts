// DART's objective for replies in tokens, as one signed weight per token. A learner minimises −Σ weight · log p. Its gradient equals the
// gradient of the objective, because each weight is the derivative of the objective by the log-probability of its token. Pure.

import { at } from '../core/at.ts';
import { sum } from '../core/sum.ts';

export interface TokenObjective {
  /** Lower clip bound of the policy ratio: 1 − clipLow. */
  readonly clipLow: number;
  /** Upper clip bound: 1 + clipHigh. */
  readonly clipHigh: number;
  /** Dual clip: for a negative advantage the surrogate is at least dualClip · A. 0 disables it. */
  readonly dualClip: number;
  /** Upper bound of the importance weight π_old / π_roll; 0 disables the weight. */
  readonly truncation: number;
  /** token: a weight per token. sequence: one per reply, from the product over its tokens. */
  readonly importance: 'token' | 'sequence';
  /** token: a policy ratio per token (PPO, GRPO, DART). sequence: one per reply, the geometric mean over its tokens (GSPO). */
  readonly ratio: 'token' | 'sequence';
  /** The weight β of the KL divergence from the reference weights; 0 removes the term. */
  readonly divergence: number;
}

/** The constants of the paper for a pretrained model. */
export const DART_OBJECTIVE: TokenObjective = {
  ...{ clipLow: 0.2, clipHigh: 0.28, dualClip: 10, truncation: 1 },
  ...{ importance: 'token', ratio: 'token', divergence: 0.1 },
};

/** Log-probabilities of the tokens of one reply. */
export interface RecordedReply {
  readonly advantage: number;
  /** Under the present weights. */
  readonly present: readonly number[];
  /** Under the weights at the start of the batch (π_old). */
  readonly old: readonly number[];
  /** As the policy recorded them (π_roll); absent on demonstrations, whose importance weight is 1. */
  readonly rollout?: readonly number[] | undefined;
  /** Under the reference weights; required where β > 0. */
  readonly reference?: readonly number[] | undefined;
}

export interface ReplyWeights {
  /** The derivative of the reply's term by each log-probability. */
  readonly weights: readonly number[];
  /** The reply's term of the objective: the mean over its tokens. */
  readonly gain: number;
  /** The share of tokens whose surrogate is clipped. */
  readonly clipped: number;
}

/** Log-ratios are limited to ± this value, so that their exponentials stay finite. */
export const MAX_LOG_RATIO = 20;

/** Throws a RangeError if a list has another length than the reply, or if β > 0 and there is no reference. */
export function replyWeights(reply: RecordedReply, objective: TokenObjective): ReplyWeights {
  const { advantage, present, old, rollout, reference } = reply;
  checkLengths(reply, objective);
  const count = present.length;
  const importance = importanceWeights(old, rollout, objective);
  const ratios = policyRatios(present, old, objective);
  const weights: number[] = [];
  let [gain, clipped] = [0, 0];
  for (let token = 0; token < count; token++) {
    const { value, slope, isClipped } = surrogate(at(ratios.values, token), advantage, objective);
    const weight = at(importance, token);
    gain += weight * value;
    clipped += Number(isClipped);
    // Of a ratio per reply, each token moves every term a little: the sum over the terms is what it moves in all.
    const moved = at(ratios.slopes, token);
    weights.push((weight * slope * moved) / count);
  }
  if (objective.ratio === 'sequence') spread(weights);
  if (objective.divergence > 0 && reference !== undefined)
    for (let token = 0; token < count; token++) {
      const apart = at(reference, token) - at(present, token);
      const [limited, isLimited] = limit(apart);
      gain -= objective.divergence * (Math.exp(limited) - limited - 1);
      const slope = isLimited ? 0 : Math.exp(limited) - 1;
      weights[token] = at(weights, token) + (objective.divergence * slope) / count;
    }
  return { weights, gain: gain / count, clipped: clipped / count };
}

/** The truncated importance weight of each token. It has no gradient. */
export function importanceWeights(
  old: readonly number[],
  rollout: readonly number[] | undefined,
  { truncation, importance }: Pick<TokenObjective, 'truncation' | 'importance'>,
): readonly number[] {
  if (truncation === 0 || rollout === undefined) return old.map(() => 1);
  const apart = old.map((each, token) => each - at(rollout, token));
  const truncated = (logarithm: number) => Math.min(Math.exp(limit(logarithm)[0]), truncation);
  if (importance === 'token') return apart.map(truncated);
  const weight = truncated(sum(apart));
  return old.map(() => weight);
}

/** The ratio of each token, and its derivative by the token's log-probability. */
export function policyRatios(
  present: readonly number[],
  old: readonly number[],
  { ratio }: Pick<TokenObjective, 'ratio'>,
): { readonly values: readonly number[]; readonly slopes: readonly number[] } {
  const apart = present.map((each, token) => each - at(old, token));
  const logarithms = ratio === 'token' ? apart : apart.map(() => sum(apart) / apart.length);
  const limited = logarithms.map(limit);
  const values = limited.map(([logarithm]) => Math.exp(logarithm));
  return { values, slopes: limited.map(([, isLimited], token) => (isLimited ? 0 : at(values, token))) };
}

/** All tokens share the derivative of a ratio per reply: the mean. */
function spread(weights: number[]): void {
  weights.fill(sum(weights) / Math.max(1, weights.length));
}

export interface Surrogate {
  readonly value: number;
  /** The derivative by the ratio. */
  readonly slope: number;
  readonly isClipped: boolean;
}

/** min(ρ·A, clip(ρ)·A), then the dual clip. */
export function surrogate(
  ratio: number,
  advantage: number,
  { clipLow, clipHigh, dualClip }: Pick<TokenObjective, 'clipLow' | 'clipHigh' | 'dualClip'>,
): Surrogate {
  const bounded = Math.min(1 + clipHigh, Math.max(1 - clipLow, ratio));
  const isClipped = bounded * advantage < ratio * advantage;
  const value = isClipped ? bounded * advantage : ratio * advantage;
  if (dualClip > 0 && advantage < 0 && value < dualClip * advantage)
    return { value: dualClip * advantage, slope: 0, isClipped };
  return { value, slope: isClipped ? 0 : advantage, isClipped };
}

const limit = (logarithm: number): readonly [number, boolean] =>
  Math.abs(logarithm) > MAX_LOG_RATIO ? [Math.sign(logarithm) * MAX_LOG_RATIO, true] : [logarithm, false];

/** The k3 estimator of a KL divergence: never negative, 0 for equal distributions. */
export const k3 = (logRatio: number): number => {
  const [limited] = limit(logRatio);
  return Math.exp(limited) - limited - 1;
};

function checkLengths({ present, ...others }: RecordedReply, { divergence }: TokenObjective): void {
  if (divergence > 0 && others.reference === undefined)
    throw new RangeError(
      `The objective has β = ${divergence}, but a reply has no reference log-probabilities. Set β to 0, or use a learner with reference weights.`,
    );
  for (const name of ['old', 'rollout', 'reference'] as const) {
    const list = others[name];
    if (list !== undefined && list.length !== present.length)
      throw new RangeError(
        `A reply has ${present.length} tokens and ${list.length} log-probabilities in '${name}'. Each token needs one.`,
      );
  }
}
