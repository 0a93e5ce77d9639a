// Adam with decoupled weight decay, as nodes appended to the graph: it works on one flat vector of all weights, so the
// whole optimiser is what stands below. A step whose gradient or loss is not finite changes nothing.

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
  /** Share of the learning rate by which matrices shrink each step; gains and biases are left alone. */
  readonly weightDecay?: number;
  /** The gradient is scaled down to this norm where it is longer. */
  readonly clipNorm?: number;
}

/**
 * Rises from 0 over `warmup` steps; then stays, or falls towards `floor` until step `total`. Where who trains knows better, it is
 * multiplied by what is fed as `rate` with each run.
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
  /** 1 where the step was taken, 0 where it was refused. */
  readonly applied: Value;
}

/** A loss, a gradient or weights beyond this norm count as infinite: their squares are about to overflow. */
const LARGEST = 1e18;

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
  refuseOdd(options);
  const { graph } = gradient;
  const step = add(state.step, 1);
  const rate = learningRate(cast(step, 'float32'), options.learningRate);

  // All that concerns one number for all weights is worked out first: each pass over the weights costs as much as any other.
  const squares = reduceSumSquare(gradient);
  const norm = sqrt(squares);
  const scale = Number.isFinite(clipNorm)
    ? min(div(clipNorm, add(norm, 1e-6)), 1)
    : graph.scalar('float32', 1);
  const mean = add(mul(state.mean, beta1), mul(gradient, mul(scale, 1 - beta1)));
  const variance = add(mul(state.variance, beta2), square(mul(gradient, mul(scale, Math.sqrt(1 - beta2)))));
  // mean / f1 over √(variance / f2) + ε, where f1 and f2 are the shares of the averages that are filled.
  const filled = sqrt(shareFilled(beta2, step));
  const pace = div(mul(rate, filled), shareFilled(beta1, step));
  const change = mul(div(mean, add(sqrt(variance), mul(filled, epsilon))), pace);
  const kept =
    weightDecay === 0
      ? state.weights
      : mul(state.weights, sub(1, mul(rate, decayOfEach(graph, layout, weightDecay))));
  const weights = sub(kept, change);

  // Comparisons with NaN are false, so these hold for numbers of a sound size only.
  const bounded = (sum: Value) => less(sum, LARGEST ** 2);
  const sound = and(and(bounded(reduceSumSquare(loss)), bounded(squares)), bounded(reduceSumSquare(weights)));
  return {
    next: {
      weights: where(sound, weights, state.weights),
      mean: where(sound, mean, state.mean),
      variance: where(sound, variance, state.variance),
      step: where(sound, step, state.step),
    },
    norm,
    learningRate: rate,
    applied: cast(sound, 'float32'),
  };
}

/** The share of a moving average that has been filled after some steps; in float64, since it starts close to 0. */
const shareFilled = (beta: number, step: Value): Value =>
  cast(sub(1, pow(beta, cast(step, 'float64'))), 'float32');

/** The decay of each number: that of a matrix, or none. */
function decayOfEach(graph: Graph, { size, decayed }: Layout, weightDecay: number): Value {
  const repeated = (value: number, count: number) =>
    count > 0 ? [expand(graph.constant('float32', [1], [value]), [count])] : [];
  return concat([...repeated(weightDecay, decayed), ...repeated(0, size - decayed)], 0);
}

function learningRate(time: Value, { peak, warmup = 0, decay, fed }: LearningRate): Value {
  const risen = warmup > 0 ? min(div(time, warmup), 1) : undefined;
  const fallen = decay === undefined ? undefined : falling(time, warmup, decay);
  const given = fed ? time.graph.input('rate', 'float32', []) : undefined;
  const factors = [risen, fallen, given].filter(factor => factor !== undefined);
  return factors.reduce<Value>(mul, time.graph.scalar('float32', peak));
}

function falling(
  time: Value,
  warmup: number,
  { shape, total, floor = 0 }: NonNullable<LearningRate['decay']>,
): Value {
  const share = min(div(sub(max(time, warmup), warmup), total - warmup), 1);
  const left = shape === 'linear' ? sub(1, share) : mul(add(cos(mul(share, Math.PI)), 1), 0.5);
  return add(mul(left, 1 - floor), floor);
}

/** Options under which a step would be no step, each refused by name. */
function refuseOdd({
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
  const odd = rules.find(([, , holds]) => !holds);
  if (odd !== undefined) throw new GraphError(`Adam's ${odd[0]} is ${odd[1]}; it must be ${odd[3]}.`);
}
