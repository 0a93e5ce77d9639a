// Adam with decoupled weight decay, as nodes appended to the graph. It works on one flat vector of all weights. A step with a
// non-finite gradient or loss changes nothing.

import { type Graph, GraphError, type Value } from './graph.ts';
import type { Layout } from './layout.ts';
import { concat, expand } from './ops/arrange.ts';
import { add, cos, div, max, min, mul, pow, sqrt, square, sub } from './ops/elementwise.ts';
import { and, cast, less, where } from './ops/logic.ts';
import { reduceSumSquare } from './ops/reduce.ts';

export interface AdamOptions {
  readonly learningRate: LearningRate;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** Matrices shrink by learning rate × weightDecay per step; gains and biases do not decay. */
  readonly weightDecay?: number;
  /** Maximum norm of the gradient; a larger gradient is scaled down. */
  readonly clipNorm?: number;
}

/**
 * Rises from 0 to `peak` over `warmup` steps, then stays or decays to `floor` at step `total`. With `fed`, each run multiplies it by
 * the feed `rate`.
 */
export interface LearningRate {
  readonly peak: number;
  readonly warmup?: number;
  readonly fed?: true;
  readonly decay?: { readonly shape: 'linear' | 'cosine'; readonly total: number; readonly floor?: number };
}

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
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0, clipNorm = Infinity } = options;
  validateOptions(options);
  const { graph } = gradient;
  const step = add(state.step, 1);
  const rate = learningRate(cast(step, 'float32'), options.learningRate);

  // Scalars are combined first, to keep the number of passes over the weights small.
  const squares = reduceSumSquare(gradient);
  const norm = sqrt(squares);
  const scale = Number.isFinite(clipNorm)
    ? min(div(clipNorm, add(norm, 1e-6)), 1)
    : graph.scalar('float32', 1);
  const mean = add(mul(state.mean, beta1), mul(gradient, mul(scale, 1 - beta1)));
  const variance = add(mul(state.variance, beta2), square(mul(gradient, mul(scale, Math.sqrt(1 - beta2)))));
  // (mean / c1) / (√(variance / c2) + ε), with the bias corrections c1 = 1 − β1^t and c2 = 1 − β2^t.
  const correction = sqrt(biasCorrection(beta2, step));
  const stepSize = div(mul(rate, correction), biasCorrection(beta1, step));
  const change = mul(div(mean, add(sqrt(variance), mul(correction, epsilon))), stepSize);
  const decayedWeights =
    weightDecay === 0
      ? state.weights
      : mul(state.weights, sub(1, mul(rate, decayVector(graph, layout, weightDecay))));
  const weights = sub(decayedWeights, change);

  // Comparisons with NaN are false, so these tests also reject NaN.
  const bounded = (sum: Value) => less(sum, MAX_NORM ** 2);
  const finite = and(
    and(bounded(reduceSumSquare(loss)), bounded(squares)),
    bounded(reduceSumSquare(weights)),
  );
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
const biasCorrection = (beta: number, step: Value): Value =>
  cast(sub(1, pow(beta, cast(step, 'float64'))), 'float32');

/** Weight decay of each weight: 0 for gains and biases. */
function decayVector(graph: Graph, { size, decayed }: Layout, weightDecay: number): Value {
  const repeated = (value: number, count: number) =>
    count > 0 ? [expand(graph.constant('float32', [1], [value]), [count])] : [];
  return concat([...repeated(weightDecay, decayed), ...repeated(0, size - decayed)], 0);
}

function learningRate(time: Value, { peak, warmup = 0, decay, fed }: LearningRate): Value {
  const warmupFactor = warmup > 0 ? min(div(time, warmup), 1) : undefined;
  const decayFactor = decay === undefined ? undefined : decayedRate(time, warmup, decay);
  const fedFactor = fed ? time.graph.input('rate', 'float32', []) : undefined;
  const factors = [warmupFactor, decayFactor, fedFactor].filter(factor => factor !== undefined);
  return factors.reduce<Value>(mul, time.graph.scalar('float32', peak));
}

function decayedRate(
  time: Value,
  warmup: number,
  { shape, total, floor = 0 }: NonNullable<LearningRate['decay']>,
): Value {
  const share = min(div(sub(max(time, warmup), warmup), total - warmup), 1);
  const remaining = shape === 'linear' ? sub(1, share) : mul(add(cos(mul(share, Math.PI)), 1), 0.5);
  return add(mul(remaining, 1 - floor), floor);
}

/** Rejects options outside their range, by name. */
function validateOptions({
  learningRate: rate,
  beta1 = 0.9,
  beta2 = 0.999,
  epsilon = 1e-8,
  weightDecay = 0,
  clipNorm = Infinity,
}: AdamOptions): void {
  const { peak, warmup = 0, decay } = rate;
  const total = decay?.total ?? warmup + 1;
  const rules: readonly (readonly [name: string, value: number, holds: boolean, wanted: string])[] = [
    ['learningRate.peak', peak, peak >= 0 && peak < 1e3, 'a number from 0'],
    ['learningRate.warmup', warmup, warmup >= 0 && Number.isFinite(warmup), 'a number of steps from 0'],
    [
      'learningRate.decay.total',
      total,
      total > warmup && Number.isFinite(total),
      'more steps than the warm-up has',
    ],
    [
      'learningRate.decay.floor',
      decay?.floor ?? 0,
      (decay?.floor ?? 0) >= 0 && (decay?.floor ?? 0) <= 1,
      'a share from 0 to 1',
    ],
    ['beta1', beta1, beta1 >= 0 && beta1 < 1, 'from 0 to below 1'],
    ['beta2', beta2, beta2 >= 0 && beta2 < 1, 'from 0 to below 1'],
    ['epsilon', epsilon, epsilon > 0 && Number.isFinite(epsilon), 'above 0'],
    ['weightDecay', weightDecay, weightDecay >= 0 && Number.isFinite(weightDecay), 'a number from 0'],
    ['clipNorm', clipNorm, clipNorm > 0, 'above 0'],
  ];
  const invalid = rules.find(([, , holds]) => !holds);
  if (invalid !== undefined)
    throw new GraphError(`Adam's ${invalid[0]} is ${invalid[1]}; it must be ${invalid[3]}.`);
}
