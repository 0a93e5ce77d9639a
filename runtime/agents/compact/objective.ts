// DART's objective (arXiv 2509.23866) as graph expressions; docs/method.md maps each equation to its line. Ratios are computed
// for each decision and averaged over the decisions that a step used.

import type { Value } from '../../graph/graph.ts';
import * as op from '../../graph/ops/index.ts';
import { SLOTS } from './action-kinds.ts';
import type { PolicyNetwork } from './network.ts';

export interface ObjectiveOptions {
  /** Lower clip bound of the policy ratio: 1 − clipLow. */
  readonly clipLow: number;
  /** Upper clip bound: 1 + clipHigh. It is wider, so that unlikely good choices can gain probability. */
  readonly clipHigh: number;
  /** Dual clip: for a negative advantage the surrogate is at least dualClip · A. 0 disables it. */
  readonly dualClip: number;
  /** Upper bound of the importance weight π_old / π_rollout; 0 disables the weight. */
  readonly truncation: number;
  /** Weight of the KL divergence from the reference weights; 0 removes the term from the graph. */
  readonly divergence: number;
  /** Normalised entropy below this floor is rewarded with `entropyWeight`. */
  readonly entropyFloor: number;
  /** Weight of the entropy bonus; 0 removes it. */
  readonly entropyWeight: number;
}

export const OBJECTIVE: ObjectiveOptions = {
  clipLow: 0.2,
  clipHigh: 0.28,
  dualClip: 10,
  truncation: 1,
  divergence: 0,
  entropyFloor: 0.1,
  entropyWeight: 0,
};

/** Log-ratios are limited to ± this value, so that their exponentials stay finite. */
const MAX_LOG_RATIO = 20;

const S = ['B', SLOTS.length] as const;

/** Policy statistics of recorded choices, for each decision: [B, slots]. */
export interface Assessment {
  readonly logProbability: Value;
  readonly entropy: Value;
  /** Entropy divided by the maximum for the number of valid choices; 0 where only one choice was valid. */
  readonly uncertainty: Value;
  /** 1 where more than one choice was valid. */
  readonly open: Value;
}

export function assess({ decisions }: PolicyNetwork): Assessment {
  const bySlot = SLOTS.map(slot => {
    const { logProbabilities, valid, choice } = decisions[slot];
    const chosen = op.gatherElements(logProbabilities, op.unsqueeze(choice, 1), 1);
    // Invalid choices have probability 0: the lower bound keeps their p · log p at 0.
    const entropy = op.neg(
      op.reduceSum(op.mul(op.mul(op.exp(logProbabilities), op.max(logProbabilities, -30)), valid), [1], {
        keepDims: true,
      }),
    );
    const maxEntropy = op.log(op.max(op.reduceSum(valid, [1], { keepDims: true }), 1));
    const open = op.less(0.5, maxEntropy);
    const uncertainty = op.where(open, op.div(entropy, op.max(maxEntropy, 0.5)), 0);
    return { chosen, entropy, uncertainty, open: op.cast(open, 'float32') };
  });
  const concatSlots = (column: (of: (typeof bySlot)[number]) => Value) => op.concat(bySlot.map(column), 1);
  return {
    logProbability: concatSlots(({ chosen }) => chosen),
    entropy: concatSlots(({ entropy }) => entropy),
    uncertainty: concatSlots(({ uncertainty }) => uncertainty),
    open: concatSlots(({ open }) => open),
  };
}

/** Recorded inputs of the objective. */
export interface RecordedTerms {
  /** 1 for each decision that the step used. */
  readonly used: Value;
  readonly advantage: Value;
  /** Log-probabilities: recorded by the rollout, at the start of the update, and under the reference weights. */
  readonly rollout: Value;
  readonly old: Value;
  readonly reference: Value;
}

/** Objective terms of each step: [B]. */
export interface Terms {
  /** min(ρ·A, clip(ρ)·A), dual clip, times the truncated importance weight. */
  readonly surrogate: Value;
  readonly divergence: Value;
  readonly entropyBonus: Value;
  /** −log π, summed over the used decisions. */
  readonly cloning: Value;
  readonly clipped: Value;
  readonly kl: Value;
}

export function objectiveTerms(
  { logProbability, uncertainty }: Assessment,
  recorded: RecordedTerms,
  options: ObjectiveOptions,
): Terms {
  const { used } = recorded;
  const advantage = op.unsqueeze(recorded.advantage, 1);
  const count = op.max(op.reduceSum(used, [1]), 1);
  const mean = (value: Value) => op.div(op.reduceSum(op.mul(value, used), [1]), count);
  const limited = (log: Value) => op.clip(log, -MAX_LOG_RATIO, MAX_LOG_RATIO);

  const logRatio = limited(op.sub(logProbability, recorded.old));
  const ratio = op.exp(logRatio);
  const clipped = op.clip(ratio, 1 - options.clipLow, 1 + options.clipHigh);
  const [unclippedGain, clippedGain] = [op.mul(ratio, advantage), op.mul(clipped, advantage)];
  const pessimistic = op.min(unclippedGain, clippedGain);
  const dualClipped =
    options.dualClip === 0
      ? pessimistic
      : op.where(
          op.less(advantage, 0),
          op.max(pessimistic, op.mul(advantage, options.dualClip)),
          pessimistic,
        );
  const importance = op.exp(limited(op.sub(recorded.old, recorded.rollout)));
  const truncated = op.stopGradient(op.min(importance, options.truncation));
  const aligned = options.truncation > 0 ? op.mul(truncated, dualClipped) : dualClipped;

  // The k3 estimator: non-negative, and 0 where both policies agree.
  const logReferenceRatio = limited(op.sub(recorded.reference, logProbability));
  const divergence = op.sub(op.sub(op.exp(logReferenceRatio), logReferenceRatio), 1);

  return {
    surrogate: mean(aligned),
    divergence: mean(divergence),
    entropyBonus: mean(op.min(uncertainty, options.entropyFloor)),
    cloning: op.neg(op.reduceSum(op.mul(logProbability, used), [1])),
    // Share of decisions where clipping lowers the surrogate.
    clipped: mean(op.cast(op.less(clippedGain, unclippedGain), 'float32')),
    kl: mean(op.neg(logRatio)),
  };
}

/** The loss of a batch. Each row trains as a step of a group, by imitation, or both, according to its two weights. */
export interface Objective {
  readonly loss: Value;
  readonly outputs: Readonly<Record<string, Value>>;
}

export function objective(policy: PolicyNetwork, options: ObjectiveOptions): Objective {
  const { graph } = policy;
  const assessment = assess(policy);
  const recorded: RecordedTerms = {
    used: graph.input('used', 'float32', S),
    advantage: graph.input('advantage', 'float32', ['B']),
    old: graph.input('old', 'float32', S),
    rollout:
      options.truncation > 0
        ? graph.input('rollout', 'float32', S)
        : op.stopGradient(assessment.logProbability),
    reference:
      options.divergence > 0
        ? graph.input('reference', 'float32', S)
        : op.stopGradient(assessment.logProbability),
  };
  const { surrogate, divergence, entropyBonus, cloning, clipped, kl } = objectiveTerms(
    assessment,
    recorded,
    options,
  );
  // The row weights include the high-entropy mask and 1 / number of kept steps; a masked step has weight 0.
  const policyWeight = graph.input('policyWeight', 'float32', ['B']);
  const cloneWeight = graph.input('cloneWeight', 'float32', ['B']);
  const weighted = (value: Value, weight: Value) => op.reduceSum(op.mul(value, weight));

  const gains = [surrogate];
  if (options.divergence > 0) gains.push(op.mul(divergence, -options.divergence));
  if (options.entropyWeight > 0) gains.push(op.mul(entropyBonus, options.entropyWeight));
  const gain = weighted(
    gains.reduce((sum, term) => op.add(sum, term)),
    policyWeight,
  );
  const cloneLoss = weighted(cloning, cloneWeight);
  return {
    loss: op.sub(cloneLoss, gain),
    outputs: {
      gain,
      cloneLoss,
      clipped: weighted(clipped, policyWeight),
      kl: weighted(kl, policyWeight),
      uncertainty: assessment.uncertainty,
      logProbability: assessment.logProbability,
    },
  };
}
