// DART's objective (arXiv 2509.23866, equation by equation in the docs): what one update makes larger, as expressions of one
// graph. All ratios are taken decision by decision and averaged over the decisions that a step used.

import type { Value } from '../graph/graph.ts';
import * as op from '../graph/ops/index.ts';
import { SLOTS } from './action-kinds.ts';
import type { PolicyNetwork } from './network.ts';

export interface ObjectiveOptions {
  /** The policy ratio is clipped below 1 − this, … */
  readonly clipLow: number;
  /** … and above 1 + this: higher, so that what is unlikely and good can grow. */
  readonly clipHigh: number;
  /** For a worse-than-average step the loss grows no further than at this ratio. */
  readonly dualClip: number;
  /** The weight for staleness is cut off here; 0 leaves it out, so that all steps weigh alike. */
  readonly truncation: number;
  /** Weight of the divergence from the reference weights; 0 leaves it out of the graph. */
  readonly divergence: number;
  /** Each decision's normalised entropy is held up to this floor, … */
  readonly entropyFloor: number;
  /** … with this weight; 0 leaves it out. */
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

/** Logarithms of ratios beyond this are cut off: their exponentials mean nothing. */
const LARGEST_LOG_RATIO = 20;

const S = ['B', SLOTS.length] as const;

/** What a policy says of choices that were made, decision by decision: [B, slots]. */
export interface Assessment {
  readonly logProbability: Value;
  readonly entropy: Value;
  /** Entropy as a share of the largest that the number of valid choices allows; 0 where there was only one. */
  readonly uncertainty: Value;
  /** 1 where there was more than one valid choice, so that something was decided. */
  readonly open: Value;
}

export function assess({ decisions }: PolicyNetwork): Assessment {
  const each = SLOTS.map(slot => {
    const { logProbabilities, valid, choice } = decisions[slot];
    const chosen = op.gatherElements(logProbabilities, op.unsqueeze(choice, 1), 1);
    // A choice that is not valid has a probability of 0, and its logarithm times it is 0, not a very small number.
    const entropy = op.neg(
      op.reduceSum(op.mul(op.mul(op.exp(logProbabilities), op.max(logProbabilities, -30)), valid), [1], {
        keepDims: true,
      }),
    );
    const largest = op.log(op.max(op.reduceSum(valid, [1], { keepDims: true }), 1));
    const open = op.less(0.5, largest);
    const uncertainty = op.where(open, op.div(entropy, op.max(largest, 0.5)), 0);
    return { chosen, entropy, uncertainty, open: op.cast(open, 'float32') };
  });
  const side = (one: (of: (typeof each)[number]) => Value) => op.concat(each.map(one), 1);
  return {
    logProbability: side(({ chosen }) => chosen),
    entropy: side(({ entropy }) => entropy),
    uncertainty: side(({ uncertainty }) => uncertainty),
    open: side(({ open }) => open),
  };
}

/** What an objective is computed from, beside what the network says now. */
export interface Recorded {
  /** 1 where a step used a decision. */
  readonly used: Value;
  readonly advantage: Value;
  /** As the rollout recorded it, as the trainer found it at the start of the batch, and under the reference weights. */
  readonly rollout: Value;
  readonly old: Value;
  readonly reference: Value;
}

/** Terms for each step: [B]. */
export interface Terms {
  /** min(ρ·A, clip(ρ)·A), dual clip, times the truncated importance weight. */
  readonly surrogate: Value;
  readonly divergence: Value;
  readonly entropyHeld: Value;
  /** −log π of all decisions used. */
  readonly cloning: Value;
  readonly clipped: Value;
  readonly kl: Value;
}

export function terms(
  { logProbability, uncertainty }: Assessment,
  recorded: Recorded,
  options: ObjectiveOptions,
): Terms {
  const { used } = recorded;
  const advantage = op.unsqueeze(recorded.advantage, 1);
  const count = op.max(op.reduceSum(used, [1]), 1);
  const averaged = (value: Value) => op.div(op.reduceSum(op.mul(value, used), [1]), count);
  const bounded = (log: Value) => op.clip(log, -LARGEST_LOG_RATIO, LARGEST_LOG_RATIO);

  const logRatio = bounded(op.sub(logProbability, recorded.old));
  const ratio = op.exp(logRatio);
  const clipped = op.clip(ratio, 1 - options.clipLow, 1 + options.clipHigh);
  const [unbound, bound] = [op.mul(ratio, advantage), op.mul(clipped, advantage)];
  const clippedHigher = op.min(unbound, bound);
  const dualClipped = op.where(
    op.less(advantage, 0),
    op.max(clippedHigher, op.mul(advantage, options.dualClip)),
    clippedHigher,
  );
  const staleness = op.exp(bounded(op.sub(recorded.old, recorded.rollout)));
  const truncated = op.stopGradient(op.min(staleness, options.truncation));
  const aligned = options.truncation > 0 ? op.mul(truncated, dualClipped) : dualClipped;

  // The k3 estimator: never negative, and zero where both agree.
  const apart = bounded(op.sub(recorded.reference, logProbability));
  const divergence = op.sub(op.sub(op.exp(apart), apart), 1);

  return {
    surrogate: averaged(aligned),
    divergence: averaged(divergence),
    entropyHeld: averaged(op.min(uncertainty, options.entropyFloor)),
    cloning: op.neg(op.reduceSum(op.mul(logProbability, used), [1])),
    // Beyond a bound on the side to which the advantage pulls: elsewhere the clip changes nothing.
    clipped: averaged(op.cast(op.less(bound, unbound), 'float32')),
    kl: averaged(op.neg(logRatio)),
  };
}

/** The loss of a batch in which each row trains as its weights say: as a step of a group, or by imitation. */
export interface Objective {
  readonly loss: Value;
  readonly outputs: Readonly<Record<string, Value>>;
}

export function objective(policy: PolicyNetwork, options: ObjectiveOptions): Objective {
  const { graph } = policy;
  const assessment = assess(policy);
  const recorded: Recorded = {
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
  const { surrogate, divergence, entropyHeld, cloning, clipped, kl } = terms(assessment, recorded, options);
  // Weights carry the high-entropy mask and the number of kept steps: a step that is masked out has none.
  const policyWeight = graph.input('policyWeight', 'float32', ['B']);
  const cloneWeight = graph.input('cloneWeight', 'float32', ['B']);
  const weighted = (value: Value, weight: Value) => op.reduceSum(op.mul(value, weight));

  const gains = [surrogate];
  if (options.divergence > 0) gains.push(op.mul(divergence, -options.divergence));
  if (options.entropyWeight > 0) gains.push(op.mul(entropyHeld, options.entropyWeight));
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
