// Adam with decoupled weight decay, as nodes appended to the graph. It works on one flat vector of all weights. A step with a
// non-finite gradient or loss changes nothing. Its settings are constants of the graph, or fed with each run.

import { type Graph, GraphError, type Value } from './graph.ts';
import type { Layout } from './layout.ts';
import { concat, expand } from './ops/arrange.ts';
import { add, div, min, mul, type Operand, pow, sqrt, square, sub } from './ops/elementwise.ts';
import { and, cast, less, where } from './ops/logic.ts';
import { reduceSumSquare } from './ops/reduce.ts';

export interface AdamOptions {
  /** With `fed`, each run multiplies the peak by the feed `rate`; the trainer computes the schedule. */
  readonly learningRate: { readonly peak: number; readonly fed?: true };
  /** Matrices shrink by learning rate × weightDecay per step; gains and biases do not decay. */
  readonly weightDecay?: number;
  /** Maximum norm of the gradient; a larger gradient is scaled down. */
  readonly clipNorm?: number;
}

export const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

export interface AdamState {
  readonly weights: Value;
  readonly mean: Value;
  readonly variance: Value;
  readonly step: Value;
}

export interface AdamStep {
  readonly next: AdamState;
  readonly norm: Value;
  readonly learningRate: Value;
  /** 1 if the step was applied, 0 if it was rejected as non-finite. */
  readonly applied: Value;
}

/** A loss, gradient or weight vector with a larger norm counts as infinite: its square is close to overflow. */
const MAX_NORM = 1e18;

export function adamState(graph: Graph, weights: Value, layout: Layout): AdamState {
  return {
    weights,
    mean: graph.state('adam.mean', 'float32', [layout.size]),
    variance: graph.state('adam.variance', 'float32', [layout.size]),
    step: graph.state('adam.step', 'int64', []),
  };
}

export function adam(
  state: AdamState,
  gradient: Value,
  loss: Value,
  layout: Layout,
  options: AdamOptions,
): AdamStep {
  const { learningRate, weightDecay = 0, clipNorm = Infinity } = options;
  validateOptions(options);
  const { graph } = gradient;
  const peak = graph.scalar('float32', learningRate.peak);
  return stepOf(state, gradient, [reduceSumSquare(loss)], {
    rate: learningRate.fed ? mul(peak, graph.input('rate', 'float32', [])) : peak,
    ...{ beta1: BETA1, keptMean: BETA1, newMean: 1 - BETA1 },
    ...{ beta2: BETA2, keptVariance: BETA2, newVariance: Math.sqrt(1 - BETA2), epsilon: EPSILON },
    decay: weightDecay === 0 ? undefined : decayVector(graph, layout, weightDecay),
    scale: norm =>
      Number.isFinite(clipNorm) ? min(div(clipNorm, add(norm, 1e-6)), 1) : graph.scalar('float32', 1),
  });
}

/** The settings of a step whose settings are fed, as names of feeds. A `clip_norm` of 0 is no limit. */
export const ADAM_FEEDS = [
  'learning_rate',
  'beta1',
  'beta2',
  'epsilon',
  'weight_decay',
  'clip_norm',
] as const;
export type AdamFeed = (typeof ADAM_FEEDS)[number];

/** Adam on a gradient that is known. The settings are float64: 1 − β of a float32 has a relative error of 1e-5. */
export function fedAdam(state: AdamState, gradient: Value, layout: Layout): AdamStep {
  const { graph } = gradient;
  const fed = (name: AdamFeed) => graph.input(name, 'float64', []);
  const narrow = (value: Value) => cast(value, 'float32');
  const [beta1, beta2, clipNorm] = [fed('beta1'), fed('beta2'), narrow(fed('clip_norm'))];
  return stepOf(state, gradient, [], {
    rate: narrow(fed('learning_rate')),
    ...{ beta1, keptMean: narrow(beta1), newMean: narrow(sub(1, beta1)) },
    ...{ beta2, keptVariance: narrow(beta2), newVariance: narrow(sqrt(sub(1, beta2))) },
    epsilon: narrow(fed('epsilon')),
    decay: mul(decayVector(graph, layout, 1), narrow(fed('weight_decay'))),
    scale: norm => where(less(0, clipNorm), min(div(clipNorm, add(norm, 1e-6)), 1), 1),
  });
}

/** The settings of a step as they are used: constants or fed values. */
interface AdamTerms {
  readonly rate: Value;
  /** Float64, for the bias correction. */
  readonly beta1: Operand;
  readonly beta2: Operand;
  /** β1 and 1 − β1. */
  readonly keptMean: Operand;
  readonly newMean: Operand;
  /** β2, and the root of 1 − β2. */
  readonly keptVariance: Operand;
  readonly newVariance: Operand;
  readonly epsilon: Operand;
  /** The decay of each weight; absent without decay. */
  readonly decay: Value | undefined;
  /** The factor of the gradient, from its norm. */
  readonly scale: (norm: Value) => Value;
}

/** `sums`: sums of squares that must be finite for the step to be applied, beside those of the gradient and the new weights. */
function stepOf(state: AdamState, gradient: Value, sums: readonly Value[], terms: AdamTerms): AdamStep {
  const { rate, keptMean, newMean, keptVariance, newVariance, epsilon, decay } = terms;
  const step = add(state.step, 1);

  // Scalars are combined first, to keep the number of passes over the weights small.
  const squares = reduceSumSquare(gradient);
  const norm = sqrt(squares);
  const scale = terms.scale(norm);
  const mean = add(mul(state.mean, keptMean), mul(gradient, mul(scale, newMean)));
  const variance = add(mul(state.variance, keptVariance), square(mul(gradient, mul(scale, newVariance))));
  // (mean / c1) / (√(variance / c2) + ε), with the bias corrections c1 = 1 − β1^t and c2 = 1 − β2^t.
  const correction = sqrt(biasCorrection(terms.beta2, step));
  const stepSize = div(mul(rate, correction), biasCorrection(terms.beta1, step));
  const change = mul(div(mean, add(sqrt(variance), mul(correction, epsilon))), stepSize);
  const decayedWeights = decay === undefined ? state.weights : mul(state.weights, sub(1, mul(rate, decay)));
  const weights = sub(decayedWeights, change);

  // Comparisons with NaN are false, so these tests also reject NaN.
  const bounded = (sum: Value) => less(sum, MAX_NORM ** 2);
  const finite = [...sums, squares]
    .map(bounded)
    .reduce((both, each) => and(both, each), bounded(reduceSumSquare(weights)));
  return {
    next: {
      weights: where(finite, weights, state.weights),
      mean: where(finite, mean, state.mean),
      variance: where(finite, variance, state.variance),
      step: where(finite, step, state.step),
    },
    norm,
    learningRate: rate,
    applied: cast(finite, 'float32'),
  };
}

/** 1 − β^t, in float64 since it starts close to 0. */
const biasCorrection = (beta: Operand, step: Value): Value =>
  cast(sub(1, pow(beta, cast(step, 'float64'))), 'float32');

/** Weight decay of each weight: 0 for gains and biases. */
function decayVector(graph: Graph, { size, decayed }: Layout, weightDecay: number): Value {
  const repeated = (value: number, count: number) =>
    count > 0 ? [expand(graph.constant('float32', [1], [value]), [count])] : [];
  return concat([...repeated(weightDecay, decayed), ...repeated(0, size - decayed)], 0);
}

/** Rejects options outside their range, by name. */
function validateOptions({
  learningRate: { peak },
  weightDecay = 0,
  clipNorm = Infinity,
}: AdamOptions): void {
  const rules: readonly (readonly [name: string, value: number, holds: boolean, wanted: string])[] = [
    ['learningRate.peak', peak, peak >= 0 && peak < 1e3, 'a number from 0'],
    ['weightDecay', weightDecay, weightDecay >= 0 && Number.isFinite(weightDecay), 'a number from 0'],
    ['clipNorm', clipNorm, clipNorm > 0, 'above 0'],
  ];
  const invalid = rules.find(([, , holds]) => !holds);
  if (invalid !== undefined)
    throw new GraphError(`Adam's ${invalid[0]} is ${invalid[1]}; it must be ${invalid[3]}.`);
}
